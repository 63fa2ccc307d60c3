import { useListCommentsQuery } from "@/api/enhanced";
import { OwnerComments } from "@/sharing/OwnerComments";
import { messages } from "../messages";
import { ListPanel } from "./ListPanel";

/** Comments on the idea, with replies in place. */
export function CommentsSection({ ideaId }: { ideaId: number }) {
  const comments = useListCommentsQuery({ ideaId }, { refetchOnMountOrArgChange: true });
  return (
    <ListPanel title="Comments" query={comments} failedText={messages.commentsFailed}>
      {(rows) => <OwnerComments ideaId={ideaId} comments={rows} />}
    </ListPanel>
  );
}
