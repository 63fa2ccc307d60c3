import { useCreateCommentMutation, useListCommentsQuery } from "@/api/enhanced";
import { CommentForm } from "@/sharing/CommentForm";
import { CommentList } from "@/sharing/CommentList";
import { ListState } from "@/ui/ListState";
import { messages } from "./messages";

/** What was written about the idea, and the owner's answer, which every recipient can read. */
export function Comments({ ideaId }: { ideaId: number }) {
  const query = useListCommentsQuery({ ideaId }, { refetchOnMountOrArgChange: true });
  const [create] = useCreateCommentMutation();
  const send = async (content: string) => {
    const { error } = await create({ commentBody: { content, ideaId } });
    return error === undefined;
  };
  return (
    <>
      <ListState query={query} failedText={messages.comments.failed}>
        {(rows) => <CommentList comments={rows} />}
      </ListState>
      <CommentForm label={messages.comments.answer} subject={`idea ${ideaId}`} send={send} />
    </>
  );
}
