import { useListIdeaSharesQuery } from "@/api/enhanced";
import { paths } from "@/app/paths";
import { ShareSummary } from "@/sharing/ShareSummary";
import { LinkButton } from "@/ui/LinkButton";
import { messages } from "./messages";
import { RecordList } from "./RecordList";

/** The links that still exist, in the state they are in. */
export function Shares({ ideaId }: { ideaId: number }) {
  const query = useListIdeaSharesQuery({ id: ideaId }, { refetchOnMountOrArgChange: true });
  return (
    <>
      <RecordList
        query={query}
        failedText={messages.shares.failed}
        emptyText={messages.shares.empty}
        keyOf={({ id }) => id}
      >
        {(share) => <ShareSummary share={share} />}
      </RecordList>
      <LinkButton to={paths.share(ideaId)} variant="secondary" size="sm" className="mt-4">
        Manage share links
      </LinkButton>
    </>
  );
}
