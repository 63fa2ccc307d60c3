import { useListCommentsQuery } from "@/api/enhanced";
import { OwnerComments } from "@/sharing/OwnerComments";
import { ListState } from "@/ui/ListState";
import { messages } from "./messages";

/** What was written about the idea, and what its owner answers. */
export function Comments({ ideaId }: { ideaId: number }) {
  const query = useListCommentsQuery({ ideaId }, { refetchOnMountOrArgChange: true });
  return (
    <ListState query={query} failedText={messages.comments.failed}>
      {(rows) => <OwnerComments ideaId={ideaId} comments={rows} />}
    </ListState>
  );
}
