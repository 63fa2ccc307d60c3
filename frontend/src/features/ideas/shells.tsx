import { PageLayout } from "@/layout/PageLayout";
import { EmptyState } from "@/ui/EmptyState";
import { PageHeading } from "@/ui/PageHeading";
import { ShowMoreButton } from "@/ui/ShowMore";
import { conditional, conditionalText, forEach, placeOf, placeOfTime } from "@/ui/template";
import { everything } from "./arrange";
import { Column, columnsStyles } from "./components/Column";
import { IdeaCardView } from "./components/IdeaCard";
import { IdeaTools } from "./components/IdeaTools";
import { uploadAreaStyles } from "./components/UploadArea";
import { UploadPrompt } from "./components/UploadPrompt";
import { columns, messages } from "./messages";

/** Nothing can be pressed before the page runs. */
const nothing = () => undefined;

/**
 * What the document of the dashboard shows before any script has run, with marks for the ideas,
 * which the server fills in for their owner.
 */
export function Portfolio() {
  return (
    <div data-preview="" className="contents">
      <PageLayout>
        {/* Its footer is placed where what is loaded later will not push it down. */}
        <div className="min-h-dvh">
          <PageHeading documentTitle="Idea Portfolio">Idea Portfolio</PageHeading>
          <section aria-label="File an idea" inert className={uploadAreaStyles(true, false)}>
            <UploadPrompt failure={null} onFile={nothing} />
          </section>
          {conditional(
            "any idea",
            <IdeaTools choice={everything} onChange={nothing} found={0} total={0} />,
          )}
          <div className={columnsStyles}>
            <IdeasOf status="draft" list="drafts" count="__DRAFTS__" more="__MORE_DRAFTS__" />
            <IdeasOf
              status="published"
              list="published"
              count="__PUBLISHED__"
              more="__MORE_PUBLISHED__"
            />
          </div>
        </div>
      </PageLayout>
    </div>
  );
}

interface IdeasOfProps {
  status: keyof typeof columns;
  /** Name of the list that the server fills in. */
  list: string;
  count: string;
  more: string;
}

function IdeasOf({ status, list, count, more }: IdeasOfProps) {
  const { title, emptyText, emptyHint } = columns[status];
  const cards = (
    <>
      <ul className="flex flex-col gap-3">
        {forEach(
          list,
          <IdeaCardView
            id="__IDEA_ID__"
            title={conditionalText("titled", "__IDEA_TITLE__", messages.untitled)}
            time={placeOfTime}
            facts={placeOf("Text")}
            status={status}
            onDelete={nothing}
          />,
        )}
      </ul>
      {conditional(`more ${list}`, <ShowMoreButton more={more} of={title} />)}
    </>
  );
  return (
    <Column title={title} count={count}>
      {conditional(`any ${list}`, cards, <EmptyState title={emptyText} hint={emptyHint} />)}
    </Column>
  );
}
