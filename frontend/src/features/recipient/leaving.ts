/** Thunks of a reader who leaves; loaded with the buttons for it. */

import { publicClient } from "@/api/publicClient";
import { commentTyped, draftsBeside } from "@/store/commentDraftsSlice";
import { recipientCleared } from "@/store/recipientSlice";
import type { Thunk } from "@/store/thunk";
import { selectVisit, visitCleared } from "@/store/visitSlice";
import { logFailure } from "./log";

/** Ends the visit on the server. A failure is ignored, to let the reader go. */
export const closeShare =
  (token: string): Thunk<void> =>
  async () => {
    const { error } = await publicClient.closeShare(token);
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
 * Reports to the server that the agreement was declined. A failure is ignored, to let the reader
 * go.
 */
export const declineAgreement =
  (token: string): Thunk<void> =>
  async () => {
    const { error } = await publicClient.declineAgreement(token);
    if (error) logFailure("Failed to decline the agreement", error);
  };

/** Clears the state of the visit, once its screens are unmounted; not that of another one. */
export const clearVisit =
  (token: string): Thunk<void> =>
  async (dispatch, getState) => {
    const visit = selectVisit(getState());
    if (visit && visit.token !== token) return;
    dispatch(recipientCleared());
    dispatch(visitCleared());
  };
