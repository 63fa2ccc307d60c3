import { useState } from "react";
import { type CallFailure, toApiError } from "@/api/baseApi";
import {
  useCreateCommentMutation,
  useEditCommentMutation,
  useWithdrawCommentMutation,
} from "@/api/enhanced";
import type { Comment, CommentBody } from "@/api/generated";
import { requestKeys } from "@/api/requestKeys";
import { cx } from "@/ui/cx";
import { formatDateTime } from "@/ui/dates";
import { EmptyState } from "@/ui/EmptyState";
import { CommentForm, hiddenWhileEditing } from "./CommentForm";
import { CommentThreads } from "./CommentThreads";
import type { CommentActions } from "./commentActions";

interface OwnerCommentsProps {
  ideaId: number;
  comments: readonly Comment[];
}

/** Comments on an idea, for its owner, who can reply and comment. */
export function OwnerComments({ ideaId, comments }: OwnerCommentsProps) {
  const [create] = useCreateCommentMutation();
  const [edit] = useEditCommentMutation();
  const [withdraw] = useWithdrawCommentMutation();
  const subject = `idea ${ideaId}`;
  const [keys] = useState(requestKeys);
  const write = async (commentBody: CommentBody) => {
    const sent = await create({ commentBody, "Idempotency-Key": keys.of(commentBody) });
    keys.settle(sent.error && toApiError(sent.error));
    return sent;
  };
  const actions: CommentActions = {
    answer: async (replyTo, content) => taken(await write({ content, ideaId, replyTo })),
    edit: async (id, content) => taken(await edit({ id, commentEditBody: { content } })),
    withdraw: async (id) => taken(await withdraw({ id })),
  };
  const comment = async (content: string) => {
    const { error } = await write({ content, ideaId });
    return error === undefined;
  };
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
        send={comment}
      />
    </div>
  );
}

/**
 * Returns true when a call was accepted, the server's message when it gave one, and false
 * otherwise.
 */
function taken({ error }: { error?: CallFailure | undefined }): boolean | string {
  return !error || (toApiError(error).detail ?? false);
}
