import { PageLayout } from "@/layout/PageLayout";
import { EmptyState } from "@/ui/EmptyState";
import { ShowMoreButton } from "@/ui/ShowMore";
import { conditional, conditionalText, forEach, variable } from "@/ui/template";
import { everything } from "./arrange";
import { Column, columnsStyles } from "./components/Column";
import { CardTags, IdeaCardView } from "./components/IdeaCard";
import { IdeaTools } from "./components/IdeaTools";
import { PortfolioHeading } from "./components/PortfolioHeading";
import { uploadAreaStyles } from "./components/UploadArea";
import { UploadPrompt } from "./components/UploadPrompt";
import { columns, messages } from "./messages";

/** Keeps the place of a line. */
const NO_BREAK_SPACE = "\u00a0";

/** Nothing can be pressed before the page runs. */
const nothing = () => undefined;

/**
 * The document of the dashboard before any script has run, with places for the ideas of
 * its owner.
 */
export function Portfolio() {
  return (
    <div data-preview="" className="contents">
      <PageLayout>
        {/* Its footer is placed where what is loaded later will not push it down. */}
        <div className="min-h-dvh">
          <PortfolioHeading />
          <section aria-label="File an idea" inert className={uploadAreaStyles(true, false)}>
            <UploadPrompt failure={null} onFile={nothing} />
          </section>
          {conditional(
            "portfolio.drafts.cards or portfolio.published.cards",
            <IdeaTools choice={everything} onChange={nothing} tags={[]} found={0} total={0} />,
          )}
          <div className={columnsStyles}>
            <IdeasOf status="draft" column="portfolio.drafts" />
            <IdeasOf status="published" column="portfolio.published" />
          </div>
        </div>
      </PageLayout>
    </div>
  );
}

interface IdeasOfProps {
  status: keyof typeof columns;
  /** Name of the column in the template. */
  column: string;
}

function IdeasOf({ status, column }: IdeasOfProps) {
  const { title, emptyText, emptyHint } = columns[status];
  const cards = (
    <>
      <ul className="flex flex-col gap-3">
        {forEach(
          "idea",
          `${column}.cards`,
          <IdeaCardView
            id={variable("idea.id")}
            title={conditionalText("idea.title", variable("idea.title"), messages.untitled)}
            time=""
            facts={NO_BREAK_SPACE}
            tags={conditional("idea.tags", <CardTags tags={variable("idea.tags")} />)}
            status={status}
            onDelete={nothing}
            onOrganize={nothing}
          />,
        )}
      </ul>
      {conditional(
        `${column}.more`,
        <ShowMoreButton more={variable(`${column}.more`)} of={title} />,
      )}
    </>
  );
  return (
    <Column title={title} count={variable(`${column}.count`)}>
      {conditional(`${column}.cards`, cards, <EmptyState title={emptyText} hint={emptyHint} />)}
    </Column>
  );
}
