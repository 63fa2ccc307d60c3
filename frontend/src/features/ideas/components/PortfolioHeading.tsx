import { paths } from "@/routing/paths";
import { LinkButton } from "@/ui/LinkButton";
import { PageHeading } from "@/ui/PageHeading";

/** The dashboard's heading, with the way to the readers of all ideas. */
export function PortfolioHeading() {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <PageHeading documentTitle="Idea Portfolio">Idea Portfolio</PageHeading>
      <LinkButton to={paths.allReaders} variant="secondary" size="sm">
        Readers
      </LinkButton>
    </div>
  );
}
