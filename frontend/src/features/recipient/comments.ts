/** What is done with the comments beside a document; loaded with them. */

import type { Comment } from "@/api/generated";
import type { ApiError, ApiResult } from "@/api/http";
import { publicClient } from "@/api/publicClient";
import { readerClient } from "@/api/readerClient";
import { commentAppended, commentsReplaced, selectComments } from "./commentsSlice";
import { logFailure } from "./log";
import { selectRecipient } from "./recipientSlice";
import { type Thunk, timeLeft } from "./visit";
import { selectVisit, visitDenied } from "./visitSlice";

const CHANGE_FAILED = "Failed to change comment. Please try again.";

/** Loads the comments of one idea. Failures are only logged (spec section 8). */
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

/** Sends a comment, or an answer to one; false when it was not accepted. */
export const addComment =
  (token: string, ideaId: number, content: string, replyTo?: string): Thunk<boolean> =>
  async (dispatch, getState) => {
    const recipient = selectRecipient(getState());
    const { data, error } = await publicClient.createComment({
      recipientId: recipient?.id ?? null,
      author: recipient?.name ?? null,
      content,
      ...(replyTo === undefined ? {} : { replyTo }),
    });
    if (error) {
      logFailure("Failed to add comment", error);
      dispatch(accessRefused(token, error));
      return false;
    }
    dispatch(commentAppended(data));
    await dispatch(refreshComments(token, ideaId));
    return true;
  };

/** Changes the text of an own comment; resolves to whether that was accepted, or to why not. */
export const editComment =
  (token: string, id: string, content: string): Thunk<boolean | string> =>
  async (dispatch) =>
    dispatch(ownChanged(token, await readerClient.editComment(id, content)));

/** Withdraws an own comment; resolves as for an edit. */
export const withdrawComment =
  (token: string, id: string): Thunk<boolean | string> =>
  async (dispatch) =>
    dispatch(ownChanged(token, await readerClient.withdrawComment(id)));

const ownChanged =
  (token: string, { data, error }: ApiResult<Comment>): Thunk<boolean | string> =>
  async (dispatch, getState) => {
    if (error) {
      logFailure("Failed to change a comment", error);
      dispatch(accessRefused(token, error));
      return error.detail ?? CHANGE_FAILED;
    }
    const comments = selectComments(getState());
    dispatch(commentsReplaced(comments.map((old) => (old.id === data.id ? data : old))));
    return true;
  };

/**
 * The refresh without a filter that spec section 7 asks for. Such a list may hold comments on other
 * ideas that this browser may read, and a comment does not say which idea it is on; whenever there
 * is an unknown one, the filtered list decides.
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

/**
 * Takes the document away when a failure says that the server no longer lets it be read: because
 * the time is over, which a reader may mend, or else because the link is dead.
 */
const accessRefused =
  (token: string, { status }: ApiError): Thunk<void> =>
  async (dispatch, getState) => {
    const visit = selectVisit(getState());
    // Late answers say nothing about a visit that has begun since.
    if (visit?.status !== "valid" || ![401, 403, 404].includes(status)) return;
    const left = timeLeft(visit);
    dispatch(visitDenied({ token, reason: left !== null && left <= 0 ? "ended" : "dead" }));
  };
