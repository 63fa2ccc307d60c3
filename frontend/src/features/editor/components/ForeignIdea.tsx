import { FileText, FileWarning } from "lucide-react";
import type { Idea } from "@/api/generated";
import { paths } from "@/app/paths";
import { PageHeading } from "@/ui/PageHeading";
import { PageLayout } from "@/ui/PageLayout";
import { messages } from "../messages";
import { IdeaDetails } from "./IdeaDetails";
import { ReadOnlyNotice } from "./ReadOnlyNotice";

/**
 * An idea whose content is not rich text. It is shown and never saved: writing back a form that
 * this editor cannot read would destroy it.
 */
export function ForeignIdea({ idea }: { idea: Idea }) {
  const isPdf = idea.contentKind === "pdf";
  const Icon = isPdf ? FileText : FileWarning;
  return (
    <PageLayout back={{ to: paths.dashboard, label: "Back" }} width="medium">
      {idea.status === "published" && <ReadOnlyNotice />}
      <PageHeading documentTitle={idea.title} className="break-words">
        {isPdf ? messages.pdfTitle(idea.title) : idea.title}
      </PageHeading>
      <div className="mt-6 flex items-center gap-3 rounded-lg border border-line bg-surface p-6">
        <Icon className="size-6 shrink-0 text-muted" aria-hidden="true" />
        <p className="min-w-0 break-words">{notice(idea)}</p>
      </div>
      <IdeaDetails idea={idea} />
    </PageLayout>
  );
}

function notice({ content }: Idea): string {
  const isPdf = typeof content === "object" && "fileName" in content;
  return isPdf && typeof content.fileName === "string" ? content.fileName : messages.legacy;
}
