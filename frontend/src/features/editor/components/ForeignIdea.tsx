import type { Idea } from "@/api/generated";
import { paths } from "@/app/paths";
import { PageHeading } from "@/ui/PageHeading";
import { PageLayout } from "@/ui/PageLayout";
import { IdeaDetails } from "../details/IdeaDetails";
import { messages } from "../messages";
import { ForeignContent } from "./ForeignContent";
import { ReadOnlyNotice } from "./ReadOnlyNotice";

/**
 * An idea whose content is not rich text. It is shown and never saved: writing back a form that
 * this editor cannot read would destroy it.
 */
export function ForeignIdea({ idea }: { idea: Idea }) {
  const isPdf = idea.contentKind === "pdf";
  return (
    <PageLayout back={{ to: paths.dashboard, label: "Back" }} width="medium">
      {idea.status === "published" && <ReadOnlyNotice />}
      <PageHeading documentTitle={idea.title} className="break-words">
        {isPdf ? messages.pdfTitle(idea.title) : idea.title}
      </PageHeading>
      <div className="mt-6">
        <ForeignContent idea={idea} />
      </div>
      <IdeaDetails idea={idea} />
    </PageLayout>
  );
}
