import { useEffect } from "react";
import { useNavigate, useParams } from "react-router";
import { toApiError } from "@/api/baseApi";
import { useListIdeasQuery } from "@/api/enhanced";
import { useEvidencePagesInfiniteQuery } from "@/api/evidence";
import { saidOfDefect } from "@/api/http";
import { PageLayout } from "@/layout/PageLayout";
import { StatusScreen } from "@/layout/StatusScreen";
import { backToDashboard, paths } from "@/routing/paths";
import { useAppDispatch } from "@/store/hooks";
import { errorToast } from "@/store/toastSlice";
import { LoadFailure } from "@/ui/LoadFailure";
import { PageHeading } from "@/ui/PageHeading";
import { EvidenceScreen } from "./components/EvidenceScreen";
import { messages } from "./messages";

/** Time until the page looks again for places that are still missing, in milliseconds. */
const PLACE_POLL_MS = 3000;

/** The evidence of an idea. Redirects to the dashboard when there is no such idea. */
export function EvidencePage() {
  const { id } = useParams();
  const ideaId = Number(id);
  const isKnown = Number.isSafeInteger(ideaId) && ideaId > 0;
  const query = useEvidence(isKnown ? ideaId : null);
  const { data: ideas } = useListIdeasQuery({});
  const isMissing = !isKnown || (query.isError && toApiError(query.error).status === 404);

  const navigate = useNavigate();
  const dispatch = useAppDispatch();
  useEffect(() => {
    if (!isMissing) return;
    dispatch(errorToast(messages.ideaMissing));
    navigate(paths.dashboard, { replace: true });
  }, [isMissing, dispatch, navigate]);

  if (isMissing) return <StatusScreen text={messages.ideaMissing} back={backToDashboard} />;
  const [first] = query.data?.pages ?? [];
  if (query.isError && !first) {
    return (
      <PageLayout back={backToDashboard}>
        <PageHeading documentTitle="Evidence" className="mb-6">
          Evidence
        </PageHeading>
        <LoadFailure
          text={saidOfDefect(toApiError(query.error)) ?? messages.failed}
          busy={query.isFetching}
          onRetry={query.refetch}
        />
      </PageLayout>
    );
  }
  if (!first || !ideas) return <StatusScreen text={messages.loading} back={backToDashboard} />;
  return (
    <EvidenceScreen
      key={ideaId}
      ideaId={ideaId}
      idea={ideas.find((idea) => idea.id === ideaId) ?? null}
      evidence={first}
      events={query.data?.pages.flatMap(({ events }) => events) ?? []}
      more={{
        exists: query.hasNextPage,
        isLoading: query.isFetchingNextPage,
        isFailed: query.isFetchNextPageError,
        load: query.fetchNextPage,
      }}
    />
  );
}

/** Loads the evidence, and again every few seconds while something waits for its place. */
function useEvidence(ideaId: number | null) {
  const options = { skip: ideaId === null, refetchOnMountOrArgChange: true } as const;
  const query = useEvidencePagesInfiniteQuery(ideaId ?? 0, options);
  const pages = query.data?.pages ?? [];
  const isWaiting =
    pages[0]?.state !== "stopped" &&
    pages.some(({ events }) => events.some(({ index }) => index === null));
  const { refetch } = query;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(refetch, PLACE_POLL_MS);
    return () => clearInterval(timer);
  }, [isWaiting, refetch]);
  return query;
}
