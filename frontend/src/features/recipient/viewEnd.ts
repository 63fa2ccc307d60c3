/** The end of a view's time, as thunks; loaded with the document. */

import type { SharedIdea } from "@/api/generated";
import { publicClient } from "@/api/publicClient";
import type { Thunk } from "@/store/thunk";
import { selectVisit, visitDenied } from "@/store/visitSlice";

/**
 * Handles the end of a view's time. The local clock may be fast, and a one-time link cannot be
 * opened twice, so for those the server is asked first, which does not count as a view. Resolves to
 * whether the view is really over.
 */
export const viewTimeElapsed =
  (token: string, { idea, shareType }: SharedIdea): Thunk<boolean> =>
  async (dispatch) => {
    if (shareType === "one-time") {
      const { error } = await publicClient.listComments(idea.id);
      if (!error) return false;
    }
    void dispatch(endView(token));
    return true;
  };

/**
 * Removes a document whose time is over at once, and then finds out whether its link would open it
 * again. A one-time link never does.
 */
export const endView =
  (token: string): Thunk<void> =>
  async (dispatch, getState) => {
    const visit = selectVisit(getState());
    const isOneTime = visit?.status === "valid" && visit.shared.shareType === "one-time";
    dispatch(visitDenied({ token, reason: isOneTime ? "spent" : "ended" }));
    if (isOneTime) return;
    const { error } = await publicClient.peekShare(token);
    const isStillDenied = selectVisit(getState())?.status === "denied";
    if (error?.status === 404 && isStillDenied) dispatch(visitDenied({ token, reason: "spent" }));
  };
