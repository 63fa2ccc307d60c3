import type { ReactNode } from "react";
import type { Idea } from "@/api/generated";
import { cx } from "@/ui/cx";
import { formatDateTimeSeconds } from "@/ui/dates";
import { Panel } from "@/ui/Panel";

/** What the server recorded about a saved idea (specification, section 2, panel under the editor). */
export function IdeaDetails({ idea }: { idea: Idea }) {
  return (
    <div className="mt-8 print:hidden">
      <Panel title="Idea details">
        <dl className="grid gap-x-8 gap-y-4 text-sm sm:grid-cols-2">
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
