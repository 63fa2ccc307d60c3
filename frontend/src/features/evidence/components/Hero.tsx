import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Evidence } from "@/api/evidence";
import type { ListedIdea } from "@/api/generated";
import { ConfirmationList } from "@/evidence/ConfirmationList";
import { levelOf } from "@/evidence/confirmations";
import { messages as evidenceMessages } from "@/evidence/messages";
import { RecordButton } from "@/evidence/RecordButton";
import { Seal } from "@/evidence/Seal";
import { PageHeading } from "@/ui/PageHeading";
import { messages } from "../messages";

interface HeroProps {
  ideaId: number;
  idea: ListedIdea | null;
  title: string;
  evidence: Evidence;
}

/** The seal, the title, and who vouches for the time, framed like a certificate. */
export function Hero({ ideaId, idea, title, evidence }: HeroProps) {
  const isPublished = idea?.status === "published";
  return (
    <div className="rounded-lg border border-line bg-surface p-2 shadow-soft sm:p-3 print:border-0 print:p-0 print:shadow-none">
      <div className="grid items-center gap-x-12 gap-y-8 rounded-[10px] border border-line px-4 pt-8 pb-7 sm:px-8 md:grid-cols-[15.5rem_minmax(0,1fr)] lg:grid-cols-[18rem_minmax(0,1fr)] lg:px-12 lg:py-11 print:grid-cols-[11rem_minmax(0,1fr)] print:px-6 print:py-6">
        <Seal
          level={levelOf(evidence)}
          className="mx-auto w-52 motion-safe:animate-seal-in md:w-full print:w-full"
        />
        <div className="min-w-0">
          <PageHeading
            documentTitle={`Evidence of ${title}`}
            className="wrap-anywhere max-sm:text-2xl"
          >
            <span className="block font-normal font-sans text-base text-muted">
              {messages.heading}
            </span>{" "}
            {title}
          </PageHeading>
          {idea?.documentId && (
            <p translate="no" className="mt-2.5 font-mono text-muted text-sm">
              {idea.documentId}
            </p>
          )}
          <p translate="no" className="mt-4 hidden break-all font-mono text-xs print:block">
            SHA-256 {evidence.sha256}
          </p>
          <div className="mt-6 sm:mt-7">
            <ConfirmationList evidence={evidence} />
          </div>
          {evidence.state === "stopped" && (
            <Notice>
              <p>{evidenceMessages.stopped}</p>
            </Notice>
          )}
          {idea && !isPublished && !evidence.onRecord && (
            <Notice>
              <p>{messages.record.ask(evidence.revision)}</p>
              <RecordButton ideaId={ideaId} revision={evidence.revision} />
            </Notice>
          )}
        </div>
      </div>
    </div>
  );
}

function Notice({ children }: { children: ReactNode }) {
  return (
    <div className="mt-6 flex items-start gap-3 rounded-md border border-warning bg-warning-soft px-4 py-3 text-sm text-warning">
      <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
      <div className="min-w-0">{children}</div>
    </div>
  );
}
