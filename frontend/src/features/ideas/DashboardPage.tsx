import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { ConfirmAddress } from "@/account/ConfirmAddress";
import { allIdeas, api, useListAssetsQuery, useListIdeasQuery } from "@/api/enhanced";
import type { ListedIdea } from "@/api/generated";
import { PageLayout } from "@/layout/PageLayout";
import type { Prepare } from "@/store/prepare";
import { cx } from "@/ui/cx";
import { EmptyState } from "@/ui/EmptyState";
import { focusIfLost } from "@/ui/focusIfLost";
import { loadTextFont } from "@/ui/loadTextFont";
import { useIdleLoad } from "@/ui/useIdleLoad";
import { arranged, choosable, everything, stillPossible, tagsOf } from "./arrange";
import { AssetsColumn } from "./components/AssetsColumn";
import { Column, columnsStyles } from "./components/Column";
import { DamageNotice } from "./components/DamageNotice";
import { DeleteIdeaDialog } from "./components/DeleteIdeaDialog";
import { IdeaColumn } from "./components/IdeaColumn";
import { IdeaTools } from "./components/IdeaTools";
import { OrganizeDialog } from "./components/OrganizeDialog";
import { PortfolioHeading } from "./components/PortfolioHeading";
import { StorageNotice } from "./components/StorageNotice";
import { UploadArea } from "./components/UploadArea";
import { columns } from "./messages";

const noIdeas: ListedIdea[] = [];

/** Loads the ideas. */
export const prepare: Prepare = () => async (dispatch) => {
  await dispatch(api.endpoints.listIdeas.initiate(allIdeas, { subscribe: false }));
};

/** The dashboard. */
export function DashboardPage() {
  const ideas = useListIdeasQuery(allIdeas);
  const assets = useListAssetsQuery();
  const [toDelete, setToDelete] = useState<ListedIdea | null>(null);
  const [toOrganize, setToOrganize] = useState<ListedIdea | null>(null);
  const drafts = useRef<HTMLHeadingElement>(null);
  const hasOrganized = useRef(false);
  // For the editor, which most people open next.
  useIdleLoad(loadTextFont);

  const all = ideas.data ?? noIdeas;
  const tags = useMemo(() => tagsOf(all), [all]);
  const [asked, setChoice] = useState(everything);
  const choice = useMemo(() => stillPossible(asked, tags), [asked, tags]);
  const wanted = useDeferredValue(choice);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list may lack the card with focus.
  useEffect(() => {
    if (hasOrganized.current) focusIfLost(drafts.current);
    hasOrganized.current = false;
  }, [all]);

  const shown = useMemo(() => arranged(all, wanted), [all, wanted]);
  const from = choosable(all, wanted);
  const columnOf = (status: ListedIdea["status"]) => {
    const rows = shown.filter((idea) => idea.status === status);
    const total = from.filter((idea) => idea.status === status).length;
    return { ideas: rows, narrowed: rows.length < total || wanted.filter === "archived" };
  };
  const state = {
    loading: ideas.isLoading,
    failed: ideas.isError && !ideas.data,
    retrying: ideas.isFetching,
    onRetry: ideas.refetch,
  };

  return (
    <PageLayout>
      <PortfolioHeading />
      <div className="mt-6 empty:hidden">
        <ConfirmAddress />
      </div>
      <StorageNotice />
      <DamageNotice count={all.filter((idea) => idea.isDamaged).length} />
      <UploadArea />
      {all.length > 0 && (
        <IdeaTools
          choice={choice}
          onChange={setChoice}
          tags={tags}
          found={shown.length}
          total={from.length}
        />
      )}
      <div
        className={cx(
          columnsStyles,
          (state.loading || assets.isLoading) && "min-h-[60vh] content-start",
        )}
      >
        <IdeaColumn
          {...columns.draft}
          {...columnOf("draft")}
          headingRef={drafts}
          onDelete={setToDelete}
          onOrganize={setToOrganize}
          {...state}
        />
        <IdeaColumn
          {...columns.published}
          isLater
          {...columnOf("published")}
          onOrganize={setToOrganize}
          {...state}
        />
        {/* Below columns of unknown height: shown once these are loaded, so that nothing moves. */}
        {!state.loading && !assets.isLoading && (
          <>
            <AssetsColumn
              assets={assets.data}
              retrying={assets.isFetching}
              onRetry={assets.refetch}
            />
            <Column title="Shared with me" count={0}>
              <EmptyState
                title="No shared ideas yet"
                hint="To open what others share with you, use the link they send you."
              />
            </Column>
          </>
        )}
      </div>
      <DeleteIdeaDialog
        idea={toDelete}
        onClose={() => setToDelete(null)}
        focusAfterDelete={drafts}
      />
      <OrganizeDialog
        idea={toOrganize}
        onClose={() => setToOrganize(null)}
        onSaved={() => {
          hasOrganized.current = true;
        }}
      />
    </PageLayout>
  );
}
