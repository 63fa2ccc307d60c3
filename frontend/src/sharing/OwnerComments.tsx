import type { Comment } from "@/api/generated";
import { cx } from "@/ui/cx";
import { formatDateTime } from "@/ui/dates";
import { EmptyState } from "@/ui/EmptyState";
import { CommentForm, hiddenWhileEditing } from "./CommentForm";
import { CommentThreads } from "./CommentThreads";
import { useCommentActions } from "./commentActions";

interface OwnerCommentsProps {
  ideaId: number;
  comments: readonly Comment[];
}

/** Comments on an idea, for its owner, who can reply and comment. */
export function OwnerComments({ ideaId, comments }: OwnerCommentsProps) {
  const subject = `idea ${ideaId}`;
  const actions = useCommentActions(
    ideaId,
    { ideaId },
    ({ detail }, action) => action !== "add" && (detail ?? false),
  );
  return (
    <div className="group/comments">
      {comments.length === 0 ? (
        <EmptyState title="No comments yet" />
      ) : (
        <CommentThreads
          comments={comments}
          subject={subject}
          isOwn={({ recipientId }) => recipientId === null}
          formatTime={formatDateTime}
          actions={actions}
        />
      )}
      <CommentForm
        className={cx("mt-5 border-line border-t pt-4", hiddenWhileEditing)}
        label="Comment for all readers"
        subject={subject}
        send={actions.add}
      />
    </div>
  );
}
