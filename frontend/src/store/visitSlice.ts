import type { Action } from "redux";
import type { EndedVisit } from "@/api/generated";
import { defineAction } from "./action";

/** Why access is denied: an invalid link, no usable response, or a visit that its reader ended. */
export type DenialReason = "dead" | "unreachable" | "left";

interface VisitState {
  current: {
    token: string;
    access: "verifying" | "valid" | DenialReason;
    /** Id of the share, if it is the visitor's own: only its preview is shown. */
    own?: string;
    /** The visit that is over, of a reader who had agreed. */
    ended?: EndedVisit;
  } | null;
}

export const visitStarted = defineAction<string>("visit/started");
export const visitVerified = defineAction<string>("visit/verified");
export const visitDenied = defineAction<{
  token: string;
  reason: DenialReason;
  ended?: EndedVisit | undefined;
}>("visit/denied");
export const visitOwned = defineAction<{ token: string; shareId: string }>("visit/owned");
/** The next screen has to look the share up again. */
export const visitCleared = defineAction("visit/cleared");

/**
 * Whether the share that this tab visits may be shown; RTK Query's cache has the share itself. In the
 * store and not in a screen, so that moving between screens does not repeat look-ups: a look-up that
 * returns content may count as a view.
 */
export function visitReducer(state: VisitState = { current: null }, action: Action): VisitState {
  const { token, access } = state.current ?? {};
  if (visitStarted.match(action)) {
    return { current: { token: action.payload, access: "verifying" } };
  }
  if (visitVerified.match(action) && action.payload === token && access === "verifying") {
    return { current: { token, access: "valid" } };
  }
  if (visitDenied.match(action) && action.payload.token === token) {
    const { reason, ended } = action.payload;
    return { current: { token, access: reason, ...(ended && { ended }) } };
  }
  if (visitOwned.match(action) && action.payload.token === token) {
    return { current: { token, access: "left", own: action.payload.shareId } };
  }
  return visitCleared.match(action) ? { current: null } : state;
}
