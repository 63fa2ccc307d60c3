import { useParams, useSearchParams } from "react-router";
import { toApiError } from "@/api/baseApi";
import { allIdeas, useListIdeasQuery } from "@/api/enhanced";
import { exportUrl, type ReaderFilters, useReaderPagesInfiniteQuery } from "@/api/readers";
import { reportUrl } from "@/api/report";
import { IdeaHead } from "@/layout/IdeaHead";
import { IdeaMissing } from "@/layout/IdeaMissing";
import { PageLayout } from "@/layout/PageLayout";
import { parseIdeaId } from "@/routing/ideaId";
import { backToDashboard } from "@/routing/paths";
import { Button } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import { ListSkeleton } from "@/ui/ListSkeleton";
import { LoadFailure } from "@/ui/LoadFailure";
import { PageHeading } from "@/ui/PageHeading";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { ReaderFiltersForm } from "./components/ReaderFiltersForm";
import { ReadersTable } from "./components/ReadersTable";
import { filtersOf, names } from "./filters";
import { messages } from "./messages";

/** The readers of one idea, or of all of the creator's. */
export function ReadersPage() {
  const { id } = useParams();
  const ideaId = id === undefined ? null : parseIdeaId(id);
  if (id !== undefined && ideaId === null) return <IdeaMissing text={messages.ideaMissing} />;
  return <Readers key={ideaId} ideaId={ideaId} />;
}

function Readers({ ideaId }: { ideaId: number | null }) {
  const [address] = useSearchParams();
  const filters = filtersOf(address, ideaId);
  const query = useReaderPagesInfiniteQuery(filters, { refetchOnMountOrArgChange: true });
  const ideas = useListIdeasQuery(allIdeas, { refetchOnMountOrArgChange: ideaId !== null });
  const idea = ideas.data?.find((idea) => idea.id === ideaId);
  const title = idea?.title;
  // Those of an earlier question are not shown below the next one.
  const pages = query.currentData?.pages;
  const readers = pages?.flatMap((page) => page.readers) ?? [];
  const total = pages?.[0]?.total;
  // The order alone finds everybody.
  const isFiltered = names.some((name) => name !== "sort" && address.get(name));
  const empty = isFiltered ? messages.noneFound : messages.none;
  // A deleted draft keeps its readers.
  const isMissing = ideaId !== null && !idea && ideas.isSuccess && !ideas.isFetching;
  if (isMissing && total === 0 && !isFiltered) return <IdeaMissing text={messages.ideaMissing} />;
  return (
    <PageLayout back={backToDashboard}>
      {ideaId !== null && !isMissing && <IdeaHead ideaId={ideaId} idea={idea} />}
      <PageHeading documentTitle={title ? `Readers of ${title}` : messages.title}>
        {messages.title}
      </PageHeading>
      <p className="mt-3 mb-6 max-w-prose text-muted text-sm">{messages.intro}</p>
      <ReaderFiltersForm ideaId={ideaId} />
      <div className="mt-6">
        <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
          <p role="status" className="font-semibold">
            {total !== undefined && messages.count(total)}
          </p>
          {readers.length > 0 && (
            <p className="text-muted text-sm">
              {ideaId !== null && <ReportLinks ideaId={ideaId} filters={filters} />}
              {messages.exports}{" "}
              <a href={exportUrl("csv", filters)} download className={textLinkStyles}>
                CSV
              </a>{" "}
              or{" "}
              <a href={exportUrl("json", filters)} download className={textLinkStyles}>
                JSON
              </a>
            </p>
          )}
        </div>
        {query.isError && !pages && (
          <LoadFailure
            text={toApiError(query.error).detail ?? messages.failed}
            busy={query.isFetching}
            onRetry={query.refetch}
          />
        )}
        {!pages && !query.isError && <ListSkeleton row="h-16" />}
        {total === 0 && <EmptyState title={empty.title} hint={empty.hint} />}
        {readers.length > 0 && <ReadersTable readers={readers} namesIdeas={ideaId === null} />}
        {query.isFetchNextPageError && (
          <LoadFailure
            text={messages.moreFailed}
            busy={query.isFetchingNextPage}
            onRetry={query.fetchNextPage}
          />
        )}
        {query.hasNextPage && !query.isFetchNextPageError && (
          <Button
            variant="secondary"
            className="mt-6"
            busy={query.isFetchingNextPage}
            onClick={() => query.fetchNextPage()}
          >
            {messages.more}
          </Button>
        )}
      </div>
    </PageLayout>
  );
}

function ReportLinks({ ideaId, filters }: { ideaId: number; filters: ReaderFilters }) {
  const { ideaId: _, sort: __, ...chosen } = filters;
  return (
    <>
      {messages.report}{" "}
      <a href={reportUrl(ideaId, "pdf", chosen)} download className={textLinkStyles}>
        PDF
      </a>{" "}
      or{" "}
      <a
        href={reportUrl(ideaId, "html", chosen)}
        target="_blank"
        rel="noopener"
        className={textLinkStyles}
      >
        page to print
      </a>
      .{" "}
    </>
  );
}
