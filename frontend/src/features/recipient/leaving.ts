/** How a visit is left for good; loaded with what leads there. */

import { publicClient } from "@/api/publicClient";
import { commentTyped, draftsBeside } from "@/sharing/commentDraftsSlice";
import { logFailure } from "./log";
import { recipientCleared } from "./recipientSlice";
import type { Thunk } from "./visit";
import { visitForgotten } from "./visitSlice";

/**
 * Ends the visit on the server, and drops comments that were never sent. Failing to is no reason to
 * keep somebody on the page.
 */
export const endVisit =
  (token: string): Thunk<void> =>
  async (dispatch, getState) => {
    const { error } = await publicClient.closeShare(token);
    if (error) logFailure("Failed to close the visit", error);
    for (const subject of draftsBeside(getState().commentDrafts.texts, token)) {
      dispatch(commentTyped({ subject, text: "" }));
    }
  };

/** Tells the server that the agreement was declined. Failing to is no reason to keep anybody. */
export const declineVisit =
  (token: string): Thunk<void> =>
  async () => {
    const { error } = await publicClient.declineAgreement(token);
    if (error) logFailure("Failed to decline the agreement", error);
  };

/** Forgets everything about the visit, once its screens are left. */
export const clearVisit = (): Thunk<void> => async (dispatch) => {
  dispatch(recipientCleared());
  dispatch(visitForgotten());
};
