import { type CallFailure, toResult } from "@/api/baseApi";
import {
  api,
  useCreateCommentMutation,
  useEditCommentMutation,
  useWithdrawCommentMutation,
} from "@/api/enhanced";
import type { Comment, CommentBody } from "@/api/generated";
import type { ApiError } from "@/api/http";
import { requestKeys } from "@/api/requestKeys";
import { useAppDispatch } from "@/store/hooks";
import type { Thunk } from "@/store/thunk";

/**
 * Result of an action on a comment: true; the server's message or false when it was refused;
 * null when it closed the screen, which says why.
 */
export type CommentOutcome = boolean | string | null;

/** Actions on comments. */
export interface CommentActions {
  add: (text: string) => Promise<CommentOutcome>;
  answer: (replyTo: string, text: string) => Promise<CommentOutcome>;
  edit: (id: string, text: string) => Promise<CommentOutcome>;
  withdraw: (id: string) => Promise<CommentOutcome>;
}

export type CommentAction = keyof CommentActions;

/** A comment that is sent again, because no answer came, is written once. */
const keys = requestKeys();

/**
 * Returns the actions on the comments on one idea. Each is one call, whose answer is shown in the
 * cached list. New comments are sent with `author`; `refused` says what follows from a failure.
 */
export function useCommentActions(
  ideaId: number,
  author: Omit<CommentBody, "content">,
  refused: (error: ApiError, action: CommentAction) => CommentOutcome | Promise<CommentOutcome>,
): CommentActions {
  const dispatch = useAppDispatch();
  const [create] = useCreateCommentMutation();
  const [edit] = useEditCommentMutation();
  const [withdraw] = useWithdrawCommentMutation();

  const show = async (action: CommentAction, call: PromiseLike<Answer>) => {
    const { data, error } = toResult(await call);
    if (error) return refused(error, action);
    await dispatch(commentShown(ideaId, data));
    return true;
  };
  const write = async (commentBody: CommentBody) => {
    const key = keys.of(ideaId, commentBody);
    const answer = await create({ commentBody, "Idempotency-Key": key });
    keys.settle(toResult(answer).error);
    return answer;
  };
  return {
    add: (content) => show("add", write({ ...author, content })),
    answer: (replyTo, content) => show("answer", write({ ...author, content, replyTo })),
    edit: (id, content) => show("edit", edit({ id, commentEditBody: { content } })),
    withdraw: (id) => show("withdraw", withdraw({ id })),
  };
}

interface Answer {
  data?: Comment | undefined;
  error?: CallFailure | undefined;
}

/**
 * Shows a new or changed comment in the list of its idea. Loads the list if it is not there yet, or
 * is being loaded: it may have been read before.
 */
const commentShown =
  (ideaId: number, comment: Comment): Thunk<void> =>
  async (dispatch, getState) => {
    const change = api.util.updateQueryData("listComments", { ideaId }, (comments) => {
      const at = comments.findIndex(({ id }) => id === comment.id);
      if (at < 0) comments.push(comment);
      else comments[at] = comment;
    });
    const { patches } = dispatch(change);
    const { isLoading } = api.endpoints.listComments.select({ ideaId })(getState());
    if (patches.length === 0 || isLoading) dispatch(api.util.invalidateTags(["Comments"]));
  };
