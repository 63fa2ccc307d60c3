/** The end of a view, as thunks; loaded with the document. */

import { type CallFailure, toApiError, toResult } from "@/api/baseApi";
import { api } from "@/api/enhanced";
import type { EndedVisit, SharedIdea } from "@/api/generated";
import type { ApiError } from "@/api/http";
import { recipientApi } from "@/api/recipients";
import type { CommentAction, CommentOutcome } from "@/sharing/commentActions";
import type { Thunk } from "@/store/thunk";
import { logFailure } from "./log";
import { denyAccess, refreshVisit, selectVisit, timeLeft } from "./visit";

const FRESH = { forceRefetch: true, subscribe: false };

/**
 * Loads the comments anew, which does not count as a view: a refusal shows that the view is over
 * (`accessRefused`).
 */
export const checkAccess = (ideaId: number) =>
  api.endpoints.listComments.initiate({ ideaId }, FRESH);

/**
 * Handles the end of a view's time. The local clock may be fast, and a one-time share cannot be
 * opened twice, so for those the server is asked first. Resolves to whether the view is really over.
 */
export const viewTimeElapsed =
  (token: string, { idea, shareType }: SharedIdea): Thunk<boolean> =>
  async (dispatch) => {
    if (shareType === "one-time") {
      const { error } = await dispatch(checkAccess(idea.id));
      if (!error) return false;
    }
    void dispatch(endView(token));
    return true;
  };

/**
 * Removes a document whose time is over at once, and then finds out whether its share would open it
 * again. A one-time share never does.
 */
const endView =
  (token: string): Thunk<void> =>
  async (dispatch, getState) => {
    const visit = selectVisit(getState());
    if (visit?.status !== "valid" || !visit.shared.recipient) return;
    const { shareType, viewEndsAt: at, recipient } = visit.shared;
    const deny = (reason: EndedVisit["reason"]) =>
      dispatch(denyAccess(token, "dead", { reason, at, recipientId: recipient.id }));
    await deny(shareType === "one-time" ? "exhausted" : "closed");
    if (shareType === "one-time") return;
    const call = recipientApi.endpoints.peekShare.initiate(token, FRESH);
    const { error } = toResult(await dispatch(call));
    const isStillDenied = selectVisit(getState())?.status === "denied";
    if (error?.status === 404 && isStillDenied) await deny("exhausted");
  };

/**
 * Closes the document when a failure says that it may no longer be read: because the time of the
 * view is over, or because the share is invalid.
 */
export const accessRefused =
  (token: string, failure: CallFailure): Thunk<void> =>
  async (dispatch, getState) => {
    const visit = selectVisit(getState());
    // Late responses say nothing about a visit that has begun since.
    const isOver = [401, 403, 404].includes(toApiError(failure).status);
    if (visit?.status !== "valid" || !isOver) return;
    const left = timeLeft(visit.shared, visit.receivedAt);
    if (left !== null && left <= 0) return dispatch(endView(token));
    await dispatch(denyAccess(token, "dead"));
    // Says why, and since when. Whatever else it says comes too late.
    const { data } = await dispatch(refreshVisit(token));
    if (data) await dispatch(denyAccess(token, "dead"));
  };

/** Handles comments that could not be loaded. */
export const commentsFailed =
  (token: string, failure: CallFailure): Thunk<void> =>
  async (dispatch) => {
    logFailure("Failed to load comments", toApiError(failure));
    await dispatch(accessRefused(token, failure));
  };

const CHANGE_FAILED = "Failed to change comment. Please try again.";

/** Handles an action on a comment that failed. */
export const changeRefused =
  (token: string, error: ApiError, action: CommentAction): Thunk<CommentOutcome> =>
  async (dispatch, getState) => {
    const isNew = action === "add" || action === "answer";
    logFailure(isNew ? "Failed to add comment" : "Failed to change a comment", error);
    // Not awaited: the document is closed at once, the rest takes a request.
    void dispatch(accessRefused(token, error));
    if (selectVisit(getState())?.status === "denied") return null;
    return !isNew && (error.detail ?? CHANGE_FAILED);
  };
