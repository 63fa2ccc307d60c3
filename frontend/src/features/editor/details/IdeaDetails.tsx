import { type ReactNode, Suspense } from "react";
import { useListIdeaRevisionsQuery } from "@/api/enhanced";
import type { Idea } from "@/api/generated";
import { EvidencePanel } from "@/evidence/EvidencePanel";
import { Collapsible } from "@/ui/Collapsible";
import { cx } from "@/ui/cx";
import { formatDateTimeSeconds } from "@/ui/dates";
import { lazyComponent } from "@/ui/lazyComponent";
import { Panel } from "@/ui/Panel";
import { useIdleLoad } from "@/ui/useIdleLoad";
import { messages } from "./messages";

const load = () => import("./detailsSections");
const sectionOf = (name: keyof Awaited<ReturnType<typeof load>>) => lazyComponent(load, name);

const sections = [
  { title: messages.revisions.title, Records: sectionOf("Revisions") },
  { title: messages.shares.title, Records: sectionOf("Shares") },
  { title: messages.recipients.title, Records: sectionOf("Recipients") },
  { title: messages.agreements.title, Records: sectionOf("Agreements") },
  { title: messages.views.title, Records: sectionOf("Views") },
  { title: messages.comments.title, Records: sectionOf("Comments") },
];

/** Records of a saved idea: the panel under the editor. */
export function IdeaDetails({ idea }: { idea: Idea }) {
  useIdleLoad(load);
  return (
    <div className="mt-8 print:hidden">
      <Panel title={messages.title}>
        <dl className="mb-6 grid gap-x-8 gap-y-4 text-sm sm:grid-cols-2">
          <Detail name="Idea">{idea.id}</Detail>
          <Detail name="Status">{idea.status === "published" ? "Published" : "Draft"}</Detail>
          <Detail name="Last saved">
            <LastSaved idea={idea} />
          </Detail>
          <Detail name="Version">{idea.revision}</Detail>
          {idea.documentId !== null && <Detail name="Document ID">{idea.documentId}</Detail>}
          {idea.blockchainTimestamp !== null && (
            <Detail name="Blockchain timestamp">
              {formatDateTimeSeconds(idea.blockchainTimestamp)}
            </Detail>
          )}
          <Detail name="SHA-256 of the saved content" className="sm:col-span-2">
            <code translate="no" className="break-all font-mono text-xs">
              {idea.sha256}
            </code>
          </Detail>
        </dl>
        <div className="mb-6">
          <EvidencePanel idea={idea} />
        </div>
        {sections.map(({ title, Records }) => (
          <Collapsible key={title} title={title}>
            {/* Height of an empty list. */}
            <Suspense fallback={<div className="min-h-24" />}>
              <Records ideaId={idea.id} />
            </Suspense>
          </Collapsible>
        ))}
      </Panel>
    </div>
  );
}

/** When the last version was saved. Publishing, too, counts as a modification of the idea. */
function LastSaved({ idea }: { idea: Idea }) {
  const isPublished = idea.status === "published";
  const { data } = useListIdeaRevisionsQuery({ id: idea.id, limit: 1 }, { skip: !isPublished });
  const time = isPublished ? data?.[0]?.createdAt : idea.lastModified;
  return time === undefined ? "—" : formatDateTimeSeconds(time);
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
