import { useListCommentsQuery } from "@/api/enhanced";
import { OwnerComments } from "@/sharing/OwnerComments";
import { ListState } from "@/ui/ListState";
import { messages } from "./messages";

/** Comments on the idea, with the owner's replies. */
export function Comments({ ideaId }: { ideaId: number }) {
  const query = useListCommentsQuery({ ideaId }, { refetchOnMountOrArgChange: true });
  return (
    <ListState query={query} failedText={messages.comments.failed}>
      {(rows) => <OwnerComments ideaId={ideaId} comments={rows} />}
    </ListState>
  );
}
