import { useDeferredValue, useMemo, useRef, useState } from "react";
import { ConfirmAddress } from "@/account/ConfirmAddress";
import { api, useListAssetsQuery, useListIdeasQuery } from "@/api/enhanced";
import type { ListedIdea } from "@/api/generated";
import { PageLayout } from "@/layout/PageLayout";
import type { Prepare } from "@/store/prepare";
import { cx } from "@/ui/cx";
import { EmptyState } from "@/ui/EmptyState";
import { loadTextFont } from "@/ui/loadTextFont";
import { useIdleLoad } from "@/ui/useIdleLoad";
import { arranged, everything } from "./arrange";
import { AssetsColumn } from "./components/AssetsColumn";
import { Column, columnsStyles } from "./components/Column";
import { DamageNotice } from "./components/DamageNotice";
import { DeleteIdeaDialog } from "./components/DeleteIdeaDialog";
import { IdeaColumn } from "./components/IdeaColumn";
import { IdeaTools } from "./components/IdeaTools";
import { PortfolioHeading } from "./components/PortfolioHeading";
import { StorageNotice } from "./components/StorageNotice";
import { UploadArea } from "./components/UploadArea";
import { columns } from "./messages";

const noIdeas: ListedIdea[] = [];

/** Loads the ideas. */
export const prepare: Prepare = () => async (dispatch) => {
  await dispatch(api.endpoints.listIdeas.initiate({}, { subscribe: false }));
};

/** The dashboard. */
export function DashboardPage() {
  const ideas = useListIdeasQuery({});
  const assets = useListAssetsQuery();
  const [toDelete, setToDelete] = useState<ListedIdea | null>(null);
  const drafts = useRef<HTMLHeadingElement>(null);
  // For the editor, which most people open next.
  useIdleLoad(loadTextFont);

  const [choice, setChoice] = useState(everything);
  const wanted = useDeferredValue(choice);

  const all = ideas.data ?? noIdeas;
  const shown = useMemo(() => arranged(all, wanted), [all, wanted]);
  const columnOf = (status: ListedIdea["status"]) => {
    const rows = shown.filter((idea) => idea.status === status);
    const total = all.filter((idea) => idea.status === status).length;
    return { ideas: rows, narrowed: rows.length < total };
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
        <IdeaTools choice={choice} onChange={setChoice} found={shown.length} total={all.length} />
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
          {...state}
        />
        <IdeaColumn {...columns.published} isLater {...columnOf("published")} {...state} />
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
    </PageLayout>
  );
}
