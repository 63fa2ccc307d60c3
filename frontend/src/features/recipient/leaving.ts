/** Thunks of a recipient who leaves; loaded with the buttons for it. */

import { toResult } from "@/api/baseApi";
import { api } from "@/api/enhanced";
import type { ApiError } from "@/api/http";
import { commentTyped, draftsBeside } from "@/store/commentDraftsSlice";
import type { Thunk } from "@/store/thunk";
import { logFailure } from "./log";
import { denyAccess, lookUp, refreshVisit } from "./visit";

/**
 * Ends the visit, and shows what is left of it. A failure is ignored, to let the recipient go.
 */
export const closeShare =
  (token: string): Thunk<void> =>
  async (dispatch) => {
    const call = api.endpoints.closeShare.initiate({ token }, { track: false });
    const { error } = toResult(await dispatch(call));
    await dispatch(discardUnsentComments(token));
    await dispatch(denyAccess(token, "left"));
    if (error) logFailure("Failed to close the visit", error);
    else await dispatch(refreshVisit(token));
  };

/** Opens a document again that its reader has closed. Resolves to the error, if it failed. */
export const reopenShare =
  (token: string): Thunk<ApiError | undefined> =>
  async (dispatch) => {
    const call = api.endpoints.reopenShare.initiate({ token }, { track: false });
    const { error } = toResult(await dispatch(call));
    // Who may not open it again sees why.
    if (!error || error.status === 404) await dispatch(lookUp(token));
    return error;
  };

/** Discards the comments of the visit that were typed and not sent. */
const discardUnsentComments =
  (token: string): Thunk<void> =>
  async (dispatch, getState) => {
    for (const subject of draftsBeside(getState().commentDrafts.texts, token)) {
      dispatch(commentTyped({ subject, text: "" }));
    }
  };

/**
 * Reports to the server that the agreement was declined. A failure is ignored, to let the recipient
 * go.
 */
export const declineAgreement =
  (token: string, reason: string): Thunk<void> =>
  async (dispatch) => {
    const declineBody = reason.trim() ? { reason } : {};
    const call = api.endpoints.declineAgreement.initiate({ token, declineBody }, { track: false });
    const { error } = toResult(await dispatch(call));
    if (error) logFailure("Failed to decline the agreement", error);
  };
