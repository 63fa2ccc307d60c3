/** State changes of a visit, as thunks, which outlive a screen. */

import type { SharedIdea } from "@/api/generated";
import type { ApiResult } from "@/api/http";
import { publicClient } from "@/api/publicClient";
import type { Prepare } from "@/store/prepare";
import { selectRecipient } from "@/store/recipientSlice";
import type { Thunk } from "@/store/thunk";
import {
  lookupStarted,
  lookupSucceeded,
  selectVisit,
  type Visit,
  visitDenied,
} from "@/store/visitSlice";
import { logFailure } from "./log";
import { recoverStep } from "./steps";

/** Returns the token of the link in a page's address: in its path or in its query. */
export const accessTokenOf = (inPath: string | undefined, query: URLSearchParams): string | null =>
  inPath || query.get("accessToken") || null;

/** Returns what looks the link in a page's address up and loads what the page shows then. */
export const prepareVisit =
  (load?: () => Promise<unknown>): Prepare =>
  ({ location, matches }) =>
  async (dispatch) => {
    const query = new URLSearchParams(location.search);
    const token = accessTokenOf(matches.at(-1)?.params.accessToken, query);
    if (token) await Promise.all([dispatch(ensureLookedUp(token)), load?.()]);
  };

/**
 * Looks the link up unless that is running or done. An agreement accepted since then requires
 * another look-up. Idempotent: effects may run twice.
 */
export const ensureLookedUp =
  (token: string): Thunk<void> =>
  async (dispatch, getState) => {
    const visit = selectVisit(getState());
    const isOutdated =
      visit?.status === "denied" ||
      (visit?.status === "valid" &&
        visit.shared.stage === "nda" &&
        selectRecipient(getState())?.agreedToNda);
    if (visit?.token !== token || isOutdated) await dispatch(lookUp(token));
  };

/** Looks the link up, even if that was done before. */
export const lookUp =
  (token: string): Thunk<void> =>
  async (dispatch) => {
    dispatch(lookupStarted(token));
    let found = await publicClient.openShare(token);
    // Who agreed or confirmed, and did not get the answer, need not register anew.
    if (found.data?.stage === "collect" && (await recoverStep(token))) {
      found = await publicClient.openShare(token);
    }
    dispatch(lookupFinished(token, found));
  };

/** Returns the action that stores the server's response to a look-up. */
export function lookupFinished(token: string, { data, error }: ApiResult<SharedIdea>) {
  if (!error) return lookupSucceeded({ token, shared: data, receivedAt: Date.now() });
  logFailure("Failed to verify the share link", error);
  return visitDenied({ token, reason: error.status === 404 ? "dead" : "unreachable" });
}

/**
 * Returns the remaining milliseconds of an open view; null when unknown. A view that the server has
 * just opened cannot be over: if it seems so, the local clock is wrong, and only the server knows.
 */
export function timeLeft(visit: Visit | null): number | null {
  if (visit?.status !== "valid" || visit.shared.viewEndsAt === null) return null;
  const end = Date.parse(visit.shared.viewEndsAt);
  return end > visit.receivedAt ? end - Date.now() : null;
}
