import { useListCommentsQuery } from "@/api/enhanced";
import { CommentList } from "@/sharing/CommentList";
import { messages } from "../messages";
import { ListPanel } from "./ListPanel";

/** What recipients wrote about the idea, oldest first. */
export function CommentsSection({ ideaId }: { ideaId: number }) {
  const comments = useListCommentsQuery({ ideaId }, { refetchOnMountOrArgChange: true });
  return (
    <ListPanel title="Comments" query={comments} failedText={messages.commentsFailed}>
      {(rows) => <CommentList comments={rows} />}
    </ListPanel>
  );
}
