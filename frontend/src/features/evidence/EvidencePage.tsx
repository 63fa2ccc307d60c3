import { useEffect } from "react";
import { useParams } from "react-router";
import { toApiError } from "@/api/baseApi";
import { allIdeas, useListIdeasQuery } from "@/api/enhanced";
import { useEvidencePagesInfiniteQuery } from "@/api/evidence";
import { defectMessage } from "@/api/http";
import { IdeaMissing } from "@/layout/IdeaMissing";
import { LoadFailureScreen } from "@/layout/LoadFailureScreen";
import { StatusScreen } from "@/layout/StatusScreen";
import { parseIdeaId } from "@/routing/ideaId";
import { backToDashboard } from "@/routing/paths";
import { EvidenceScreen } from "./components/EvidenceScreen";
import { messages } from "./messages";

/** Time until the page looks again for places that are still missing, in milliseconds. */
const PLACE_POLL_MS = 3000;

/** The evidence of an idea. Redirects to the dashboard when there is no such idea. */
export function EvidencePage() {
  const { id } = useParams();
  const ideaId = parseIdeaId(id);
  const query = useEvidence(ideaId);
  // The list of the dashboard may be older than this idea or its publication.
  const list = useListIdeasQuery(allIdeas, { refetchOnMountOrArgChange: true });
  const isMissing = query.isError && toApiError(query.error).status === 404;

  if (ideaId === null || isMissing) return <IdeaMissing text={messages.ideaMissing} />;
  const [first] = query.data?.pages ?? [];
  const idea = list.data?.find((idea) => idea.id === ideaId);
  const call = first ? list : query;
  if (call.isError && !(first && idea)) {
    return (
      <LoadFailureScreen
        title={messages.title}
        text={defectMessage(toApiError(call.error)) ?? messages.failed}
        busy={call.isFetching}
        onRetry={call.refetch}
      />
    );
  }
  if (!first || (!idea && list.isFetching))
    return <StatusScreen text={messages.loading} back={backToDashboard} />;
  return (
    <EvidenceScreen
      key={ideaId}
      ideaId={ideaId}
      idea={idea ?? null}
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
