import { useRef, useState } from "react";
import { useListAssetsQuery, useListIdeasQuery } from "@/api/enhanced";
import type { IdeaSummary } from "@/api/generated";
import { cx } from "@/ui/cx";
import { EmptyState } from "@/ui/EmptyState";
import { PageHeading } from "@/ui/PageHeading";
import { PageLayout } from "@/ui/PageLayout";
import { AccountMenu } from "./components/AccountMenu";
import { AssetsColumn } from "./components/AssetsColumn";
import { Column } from "./components/Column";
import { DeleteIdeaDialog } from "./components/DeleteIdeaDialog";
import { IdeaColumn } from "./components/IdeaColumn";
import { UploadArea } from "./components/UploadArea";

const noIdeas: IdeaSummary[] = [];

/** Spec section 2, Dashboard. */
export function DashboardPage() {
  const ideas = useListIdeasQuery({});
  const assets = useListAssetsQuery();
  const [doomed, setDoomed] = useState<IdeaSummary | null>(null);
  const drafts = useRef<HTMLHeadingElement>(null);

  const all = ideas.data ?? noIdeas;
  const state = {
    loading: ideas.isLoading,
    failed: ideas.isError && !ideas.data,
    retrying: ideas.isFetching,
    onRetry: ideas.refetch,
  };

  return (
    <PageLayout actions={<AccountMenu />}>
      <PageHeading documentTitle="Idea Portfolio">Idea Portfolio</PageHeading>
      <UploadArea />
      <div
        className={cx(
          "mt-10 grid items-start gap-8 lg:grid-cols-2",
          (state.loading || assets.isLoading) && "min-h-[60vh] content-start",
        )}
      >
        <IdeaColumn
          title="Drafts"
          emptyText="No drafts yet"
          emptyHint="What you write or import above is kept here. Nobody sees it unless you share it."
          ideas={all.filter((idea) => idea.status === "draft")}
          headingRef={drafts}
          onDelete={setDoomed}
          {...state}
        />
        <IdeaColumn
          title="Published"
          emptyText="No published ideas yet"
          emptyHint="Publishing a draft fixes its text for good and gives it a document ID."
          isLater
          ideas={all.filter((idea) => idea.status === "published")}
          {...state}
        />
        {/* Below columns of unknown height: shown once these are known, so that nothing jumps. */}
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
                hint="For now, what others share with you opens by the link that they send."
              />
            </Column>
          </>
        )}
      </div>
      <DeleteIdeaDialog idea={doomed} onClose={() => setDoomed(null)} focusAfterDelete={drafts} />
    </PageLayout>
  );
}
