/** Thunks for the comments beside a document; loaded with them. */

import { commentClient } from "@/api/commentClient";
import type { Comment } from "@/api/generated";
import { type ApiError, type ApiResult, isUnanswered } from "@/api/http";
import { publicClient } from "@/api/publicClient";
import { requestKeys } from "@/api/requestKeys";
import type { CommentOutcome } from "@/sharing/commentActions";
import { commentAppended, commentsReplaced, selectComments } from "@/store/commentsSlice";
import { selectRecipient } from "@/store/recipientSlice";
import type { Thunk } from "@/store/thunk";
import { selectVisit, visitDenied } from "@/store/visitSlice";
import { logFailure } from "./log";
import { endView } from "./viewEnd";
import { timeLeft } from "./visit";

/** A comment that is sent again, because no answer came, is written once. */
const keys = requestKeys();

const CHANGE_FAILED = "Failed to change comment. Please try again.";

/** Loads the comments of one idea. Failures are only logged. */
export const loadComments =
  (token: string, ideaId: number): Thunk<void> =>
  async (dispatch) => {
    const { data, error } = await publicClient.listComments(ideaId);
    if (error) {
      logFailure("Failed to load comments", error);
      dispatch(accessRefused(token, error));
    } else {
      dispatch(commentsReplaced(data));
    }
  };

/** Sends a comment or a reply. */
export const addComment =
  (token: string, ideaId: number, content: string, replyTo?: string): Thunk<CommentOutcome> =>
  async (dispatch, getState) => {
    const recipient = selectRecipient(getState());
    const body = {
      recipientId: recipient?.id ?? null,
      author: recipient?.name ?? null,
      content,
      ...(replyTo === undefined ? {} : { replyTo }),
    };
    const { data, error } = await publicClient.createComment(body, keys.of(ideaId, body));
    keys.settle(error);
    if (error) {
      logFailure("Failed to add comment", error);
      // Without an answer, the server may have it: whoever tries again should see that.
      if (isUnanswered(error)) await dispatch(loadComments(token, ideaId));
      return dispatch(changeRefused(token, error, false));
    }
    dispatch(commentAppended(data));
    await dispatch(refreshComments(token, ideaId));
    return true;
  };

/** Changes the text of an own comment. */
export const editComment =
  (token: string, id: string, content: string): Thunk<CommentOutcome> =>
  async (dispatch) =>
    dispatch(ownChanged(token, await commentClient.edit(id, content)));

/** Withdraws an own comment. */
export const withdrawComment =
  (token: string, id: string): Thunk<CommentOutcome> =>
  async (dispatch) =>
    dispatch(ownChanged(token, await commentClient.withdraw(id)));

const ownChanged =
  (token: string, { data, error }: ApiResult<Comment>): Thunk<CommentOutcome> =>
  async (dispatch, getState) => {
    if (error) {
      logFailure("Failed to change a comment", error);
      return dispatch(changeRefused(token, error, error.detail ?? CHANGE_FAILED));
    }
    const comments = selectComments(getState());
    dispatch(commentsReplaced(comments.map((old) => (old.id === data.id ? data : old))));
    return true;
  };

/**
 * Reloads the comments without a filter. The list may have comments on other ideas that this
 * browser may read, and a comment does not name its idea; if one is unknown, the filtered list is
 * loaded instead.
 */
const refreshComments =
  (token: string, ideaId: number): Thunk<void> =>
  async (dispatch, getState) => {
    const { data, error } = await publicClient.listComments();
    if (error) {
      logFailure("Failed to refresh comments", error);
      dispatch(accessRefused(token, error));
      return;
    }
    const known = new Set(selectComments(getState()).map((comment) => comment.id));
    if (data.every((comment) => known.has(comment.id))) dispatch(commentsReplaced(data));
    else await dispatch(loadComments(token, ideaId));
  };

/** Resolves to `outcome`, unless the failure closes the document. */
const changeRefused =
  (token: string, error: ApiError, outcome: false | string): Thunk<CommentOutcome> =>
  async (dispatch, getState) => {
    // Not awaited: the document is closed at once, the rest takes a request.
    void dispatch(accessRefused(token, error));
    return selectVisit(getState())?.status === "denied" ? null : outcome;
  };

/**
 * Closes the document when a failure says that it may no longer be read: because the time of the
 * view is over, or because the link is invalid.
 */
const accessRefused =
  (token: string, { status }: ApiError): Thunk<void> =>
  async (dispatch, getState) => {
    const visit = selectVisit(getState());
    // Late responses say nothing about a visit that has begun since.
    if (visit?.status !== "valid" || ![401, 403, 404].includes(status)) return;
    const left = timeLeft(visit);
    if (left !== null && left <= 0) await dispatch(endView(token));
    else dispatch(visitDenied({ token, reason: "dead" }));
  };
