/** Thunks of a recipient who leaves; loaded with the buttons for it. */

import { toResult } from "@/api/baseApi";
import { api } from "@/api/enhanced";
import { commentTyped, draftsBeside } from "@/store/commentDraftsSlice";
import type { Thunk } from "@/store/thunk";
import { logFailure } from "./log";

/** Ends the visit on the server. A failure is ignored, to let the recipient go. */
export const closeShare =
  (token: string): Thunk<void> =>
  async (dispatch) => {
    const call = api.endpoints.closeShare.initiate({ token }, { track: false });
    const { error } = toResult(await dispatch(call));
    if (error) logFailure("Failed to close the visit", error);
  };

/** Discards the comments of the visit that were typed and not sent. */
export const discardUnsentComments =
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
