import type { ReactNode } from "react";
import type { Idea } from "@/api/generated";
import { cx } from "@/ui/cx";
import { Disclosure } from "@/ui/Disclosure";
import { formatDateTimeSeconds } from "@/ui/dates";
import { Panel } from "@/ui/Panel";
import { ActivitySections } from "./ActivitySections";
import { Comments } from "./Comments";
import { messages } from "./messages";
import { Revisions } from "./Revisions";
import { Shares } from "./Shares";

/** What is recorded about a saved idea (specification, section 2, panel under the editor). */
export function IdeaDetails({ idea }: { idea: Idea }) {
  return (
    <div className="mt-8 print:hidden">
      <Panel title={messages.title}>
        <dl className="mb-6 grid gap-x-8 gap-y-4 text-sm sm:grid-cols-2">
          <Detail name="Idea">{idea.id}</Detail>
          <Detail name="Status">{idea.status === "published" ? "Published" : "Draft"}</Detail>
          <Detail name="Last saved">{formatDateTimeSeconds(idea.lastModified)}</Detail>
          <Detail name="Revision">{idea.revision}</Detail>
          {idea.documentId !== null && <Detail name="Document ID">{idea.documentId}</Detail>}
          {idea.blockchainTimestamp !== null && (
            <Detail name="Blockchain timestamp">
              {formatDateTimeSeconds(idea.blockchainTimestamp)}
            </Detail>
          )}
          <Detail name="SHA-256 of the saved content" className="sm:col-span-2">
            <code className="break-all font-mono text-xs">{idea.sha256}</code>
          </Detail>
        </dl>
        <Disclosure title={messages.revisions.title}>
          <Revisions ideaId={idea.id} />
        </Disclosure>
        <Disclosure title={messages.shares.title}>
          <Shares ideaId={idea.id} />
        </Disclosure>
        <ActivitySections ideaId={idea.id} />
        <Disclosure title={messages.comments.title}>
          <Comments ideaId={idea.id} />
        </Disclosure>
      </Panel>
    </div>
  );
}

interface DetailProps {
  name: string;
  className?: string;
  children: ReactNode;
}

function Detail({ name, className, children }: DetailProps) {
  return (
    <div className={cx("min-w-0", className)}>
      <dt className="text-muted">{name}</dt>
      <dd className="mt-0.5 font-medium">{children}</dd>
    </div>
  );
}
