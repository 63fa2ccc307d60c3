/** What the screens of the recipient flow do to the visit. Thunks, so that they outlive a screen. */

import type { SharedIdea } from "@/api/generated";
import type { ApiError, ApiResult } from "@/api/http";
import { publicClient } from "@/api/publicClient";
import type { AppDispatch, RootState } from "@/app/store";
import { commentAppended, commentsReplaced, selectComments } from "./commentsSlice";
import { logFailure } from "./log";
import { recipientCleared, selectRecipient } from "./recipientSlice";
import {
  selectVisit,
  visitDenied,
  visitForgotten,
  visitStarted,
  visitVerified,
} from "./visitSlice";

type Thunk<Result> = (dispatch: AppDispatch, getState: () => RootState) => Promise<Result>;

/** Looks the link up unless that is under way or done. Safe to repeat: effects may run twice. */
export const enterVisit =
  (token: string): Thunk<void> =>
  async (dispatch, getState) => {
    const visit = selectVisit(getState());
    if (visit?.token === token && visit.status !== "denied") return;
    await dispatch(startVisit(token));
  };

/** Looks the link up, whatever was known before. */
export const startVisit =
  (token: string): Thunk<void> =>
  async (dispatch) => {
    dispatch(visitStarted(token));
    dispatch(lookupAnswered(token, await publicClient.openShare(token)));
  };

/** Takes the server's answer about a link. */
export function lookupAnswered(token: string, { data, error }: ApiResult<SharedIdea>) {
  if (!error) return visitVerified({ token, shared: data });
  logFailure("Failed to verify the share link", error);
  return visitDenied({ token, reason: error.status === 404 ? "dead" : "unreachable" });
}

/** Ends the visit on the server. Failing to is no reason to keep somebody on the page. */
export const endVisit =
  (token: string): Thunk<void> =>
  async () => {
    const { error } = await publicClient.closeShare(token);
    if (error) logFailure("Failed to close the visit", error);
  };

/** Forgets everything about the visit, once its screens are left. */
export const clearVisit = (): Thunk<void> => async (dispatch) => {
  dispatch(recipientCleared());
  dispatch(visitForgotten());
};

/** Loads the comments of one idea. Failures are only logged (spec section 8). */
export const loadComments =
  (token: string, ideaId: number): Thunk<void> =>
  async (dispatch) => {
    const { data, error } = await publicClient.listComments(ideaId);
    if (error) {
      logFailure("Failed to load comments", error);
      if (meansNoAccess(error)) dispatch(visitDenied({ token, reason: "dead" }));
    } else {
      dispatch(commentsReplaced(data));
    }
  };

/** Sends a comment; false when it was not accepted. */
export const addComment =
  (token: string, ideaId: number, content: string): Thunk<boolean> =>
  async (dispatch, getState) => {
    const recipient = selectRecipient(getState());
    const { data, error } = await publicClient.createComment({
      recipientId: recipient?.id ?? null,
      author: recipient?.name ?? null,
      content,
    });
    if (error) {
      logFailure("Failed to add comment", error);
      if (meansNoAccess(error)) dispatch(visitDenied({ token, reason: "dead" }));
      return false;
    }
    dispatch(commentAppended(data));
    await dispatch(refreshComments(token, ideaId));
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
      if (meansNoAccess(error)) dispatch(visitDenied({ token, reason: "dead" }));
      return;
    }
    const known = new Set(selectComments(getState()).map((comment) => comment.id));
    if (data.every((comment) => known.has(comment.id))) dispatch(commentsReplaced(data));
    else await dispatch(loadComments(token, ideaId));
  };

/**
 * The time that the server gave is over. This computer's clock may be fast, and a one-time link
 * cannot be opened twice, so for those the server is asked first, which costs no view.
 * Answers whether the view is really over.
 */
export const viewTimeElapsed =
  (token: string, { idea, shareType }: SharedIdea): Thunk<boolean> =>
  async (dispatch) => {
    if (shareType === "one-time") {
      const { error } = await publicClient.listComments(idea.id);
      if (!error) return false;
    }
    dispatch(visitDenied({ token, reason: "ended" }));
    return true;
  };

const meansNoAccess = ({ status }: ApiError) => status === 401 || status === 403 || status === 404;
