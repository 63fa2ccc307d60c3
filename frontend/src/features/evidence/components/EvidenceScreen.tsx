import { Suspense } from "react";
import type { Evidence, EvidenceEvent } from "@/api/evidence";
import type { ListedIdea } from "@/api/generated";
import { levelOf } from "@/evidence/confirmations";
import { IdeaHead } from "@/layout/IdeaHead";
import { PageLayout } from "@/layout/PageLayout";
import { backToDashboard } from "@/routing/paths";
import { lazyComponent } from "@/ui/lazyComponent";
import { whenIdle } from "@/ui/whenIdle";
import { messages } from "../messages";
import { Hero } from "./Hero";
import type { MoreEvents } from "./Timeline";

// Requested when the seal is on the page, which has priority.
const loadDetails = async () => {
  await whenIdle();
  return import("./details");
};
const Timeline = lazyComponent(loadDetails, "Timeline");
const BundlePanel = lazyComponent(loadDetails, "BundlePanel");
const PublicRecordPanel = lazyComponent(loadDetails, "PublicRecordPanel");
const RecordPanel = lazyComponent(loadDetails, "RecordPanel");
const Scope = lazyComponent(loadDetails, "Scope");

/** A placeholder for content that is loaded later, so that nothing moves. */
const Place = ({ className }: { className: string }) => (
  <div className={`rounded-lg border border-line bg-surface ${className}`} />
);

interface EvidenceScreenProps {
  ideaId: number;
  /** Null for a deleted draft. */
  idea: ListedIdea | null;
  evidence: Evidence;
  /** Of all loaded pages. */
  events: readonly EvidenceEvent[];
  more: MoreEvents;
}

/** The page of evidence: the seal, what is on record, and what happened. */
export function EvidenceScreen({ ideaId, idea, evidence, events, more }: EvidenceScreenProps) {
  const isPublished = idea?.status === "published";
  const hasEvidence = events.length > 0 || levelOf(evidence) !== "none";
  return (
    <PageLayout back={backToDashboard} className="print:max-w-none print:p-0">
      {idea && <IdeaHead ideaId={ideaId} idea={idea} />}
      <Hero ideaId={ideaId} idea={idea} evidence={evidence} title={titleOf(idea, events)} />
      <div className="mt-8 grid items-start gap-8 lg:mt-10 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr] lg:gap-x-12 lg:gap-y-6 print:block">
        {hasEvidence && (
          <aside className="min-w-0 lg:order-2">
            <Suspense fallback={<Place className={isPublished ? "h-[29.5rem]" : "h-[21rem]"} />}>
              <BundlePanel ideaId={ideaId} isPublished={isPublished} />
            </Suspense>
          </aside>
        )}
        <Suspense fallback={<Place className="min-h-dvh lg:row-span-2" />}>
          <Timeline events={events} isStopped={evidence.state === "stopped"} more={more} />
        </Suspense>
        <Suspense fallback={null}>
          <aside className="flex min-w-0 flex-col gap-6 lg:order-3 print:mt-8">
            <RecordPanel evidence={evidence} />
            {idea?.documentId && (
              <PublicRecordPanel
                ideaId={ideaId}
                documentId={idea.documentId}
                isPublic={evidence.publicRecord}
              />
            )}
            {hasEvidence && <Scope />}
          </aside>
        </Suspense>
      </div>
    </PageLayout>
  );
}

/** The title of the idea; of a deleted one, the title that its events tell. */
function titleOf(idea: ListedIdea | null, events: readonly EvidenceEvent[]): string {
  if (idea) return idea.title || messages.untitled;
  const titles = events.flatMap(({ facts }) => facts.content?.title ?? []);
  const [title] = titles.filter((title) => typeof title === "string");
  return title ?? messages.aDeletedIdea;
}
