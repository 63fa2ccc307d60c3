import { ConfirmAddress } from "@/account/ConfirmAddress";
import { useListIdeaActivityQuery } from "@/api/enhanced";
import type { Idea } from "@/api/generated";
import { EvidencePanel } from "@/evidence/EvidencePanel";
import { IdeaHead } from "@/layout/IdeaHead";
import { PageLayout } from "@/layout/PageLayout";
import { backToDashboard } from "@/routing/paths";
import { PageHeading } from "@/ui/PageHeading";
import { ActivitySection } from "./ActivitySection";
import { CommentsSection } from "./CommentsSection";
import { NewShare } from "./NewShare";
import { ShareList } from "./ShareList";

/** The share screen of an existing idea: its links, a form for more, and the activity. */
export function ShareScreen({ idea }: { idea: Idea }) {
  const { isLoading } = useListIdeaActivityQuery({ id: idea.id });
  return (
    <PageLayout back={backToDashboard}>
      <IdeaHead ideaId={idea.id} idea={idea} />
      <PageHeading documentTitle={`Share ${idea.title}`}>Share your idea</PageHeading>
      {idea.status !== "published" && (
        <p className="mt-2 max-w-prose text-muted text-sm">
          Readers see the latest saved version of a draft. Publishing makes it final.
        </p>
      )}
      <div className="mt-8 flex flex-col gap-8">
        <ConfirmAddress />
        <ShareList ideaId={idea.id} />
      </div>
      <div className="mt-8 grid items-start gap-8 lg:grid-cols-[1.15fr_1fr]">
        <NewShare ideaId={idea.id} />
        <div className="flex min-w-0 flex-col gap-8">
          <EvidencePanel idea={idea} />
          <ActivitySection ideaId={idea.id} />
          {/* Below a list of unknown height: requested at once, but shown when that list is loaded.
           */}
          <div className={isLoading ? "hidden" : undefined}>
            <CommentsSection ideaId={idea.id} />
          </div>
        </div>
      </div>
    </PageLayout>
  );
}
