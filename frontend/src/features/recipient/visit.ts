/** The visit of a share, as thunks, which outlive a screen. */
import { skipToken } from "@reduxjs/toolkit/query/react";
import { toResult } from "@/api/baseApi";
import { api } from "@/api/enhanced";
import type { EndedVisit, Recipient, SharedIdea } from "@/api/generated";
import type { ApiResult } from "@/api/http";
import { useAppSelector } from "@/store/hooks";
import type { Prepare } from "@/store/prepare";
import type { RootState } from "@/store/store";
import type { Thunk } from "@/store/thunk";
import {
  type DenialReason,
  visitDenied,
  visitOwned,
  visitStarted,
  visitVerified,
} from "@/store/visitSlice";
import { logFailure } from "./log";
import { recoverStep } from "./steps";

const { findOwnShare, openShare } = api.endpoints;

/** The server's answer about a share, and its time by the local clock. */
export interface FoundShare {
  token: string;
  shared: SharedIdea;
  receivedAt: number;
}

/** State of a navigation to the form for details, for somebody else than the reader whose visit ended. */
export const ANEW = "anew";

type Visit =
  | { token: string; status: "verifying" }
  | ({ status: "valid" } & FoundShare)
  | { token: string; status: "denied"; reason: DenialReason; ended?: EndedVisit | undefined };

function visitOf(
  { token, access, ended }: NonNullable<RootState["visit"]["current"]>,
  answer: { data?: SharedIdea | undefined; fulfilledTimeStamp?: number | undefined },
): Visit | null {
  if (access === "verifying") return { token, status: access };
  if (access !== "valid") return { token, status: "denied", reason: access, ended };
  const { data: shared, fulfilledTimeStamp: receivedAt } = answer;
  // Somebody who has signed in since has emptied the cache.
  return shared && receivedAt ? { token, status: access, shared, receivedAt } : null;
}

/** Returns the current visit. */
export function selectVisit(state: RootState): Visit | null {
  const { current } = state.visit;
  return current && visitOf(current, openShare.select({ token: current.token })(state));
}

/** Returns the current visit, if it is one of this share. */
export function useVisit(token: string | null): Visit | null {
  const current = useAppSelector(({ visit }) => visit.current);
  const answer = openShare.useQueryState(token === null ? skipToken : { token });
  return current?.token === token ? visitOf(current, answer) : null;
}

/** Returns the recipient of the current visit. */
export function selectRecipient(state: RootState): Recipient | null {
  const visit = selectVisit(state);
  return visit?.status === "valid" ? visit.shared.recipient : null;
}

/** Returns the token of the share in a page's address: in its path or in its query. */
export const accessTokenOf = (inPath: string | undefined, query: URLSearchParams): string | null =>
  inPath || query.get("accessToken") || null;

/** Returns what looks the share in a page's address up and loads what the page shows then. */
export const prepareVisit =
  (load?: () => Promise<unknown>): Prepare =>
  ({ location, matches }) =>
  async (dispatch) => {
    const query = new URLSearchParams(location.search);
    const token = accessTokenOf(matches.at(-1)?.params.accessToken, query);
    if (token) await Promise.all([dispatch(ensureLookedUp(token)), load?.()]);
  };

/**
 * Looks the share up unless that is running or done. An agreement accepted since then requires
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
        visit.shared.recipient?.agreedToNda);
    if (visit?.token !== token || isOutdated) await dispatch(lookUp(token));
  };

/**
 * Looks the share up, even if that was done before, with nothing left of it or of another one. Whose
 * own it is gets no further: who registered there would put the own name on record.
 */
export const lookUp =
  (token: string): Thunk<void> =>
  async (dispatch, getState) => {
    dispatch(api.util.resetApiState());
    dispatch(visitStarted(token));
    if (getState().currentUser.user) {
      const { data } = await dispatch(findOwnShare.initiate({ token }, { subscribe: false }));
      if (data?.id) {
        dispatch(visitOwned({ token, shareId: data.id }));
        return;
      }
    }
    const { data } = await dispatch(refreshVisit(token));
    // A recipient who agreed or confirmed without getting the answer need not register again.
    if (data?.stage === "collect" && (await dispatch(recoverStep(token)))) {
      await dispatch(refreshVisit(token));
    }
    dispatch(visitVerified(token));
  };

/** Asks for the state of the visit, and shows the screen that follows from it. */
export const refreshVisit =
  (token: string): Thunk<ApiResult<SharedIdea>> =>
  async (dispatch, getState) => {
    // A request that is under way may have left before the last step.
    await dispatch(api.util.getRunningQueryThunk("openShare", { token }));
    const call = openShare.initiate({ token }, { forceRefetch: true, subscribe: false });
    const answer = toResult(await dispatch(call));
    if (answer.error) {
      const { status } = answer.error;
      const ended = answer.error.ended as EndedVisit | undefined;
      if (!ended) logFailure("Failed to verify the share link", answer.error);
      const reason = status === 404 || ended ? "dead" : "unreachable";
      await dispatch(denyAccess(token, reason, ended));
    } else if (getState().visit.current?.ended) {
      // Another reader has registered.
      dispatch(visitStarted(token));
      dispatch(visitVerified(token));
    }
    return answer;
  };

/** Ends access, and removes what was disclosed. */
export const denyAccess =
  (token: string, reason: DenialReason, ended?: EndedVisit): Thunk<void> =>
  async (dispatch, getState) => {
    dispatch(visitDenied({ token, reason, ended }));
    const shared = openShare.select({ token })(getState()).data;
    if (!shared) return;
    const { updateQueryData } = api.util;
    const withoutContent = { ...shared, idea: { ...shared.idea, content: null } };
    dispatch(updateQueryData("openShare", { token }, () => withoutContent));
    dispatch(updateQueryData("listComments", { ideaId: shared.idea.id }, () => []));
  };

/** Stores the recipient that a step has returned. */
export const recipientStored = (token: string, recipient: Recipient) =>
  api.util.updateQueryData("openShare", { token }, (shared) => {
    shared.recipient = recipient;
  });

/**
 * Returns the remaining milliseconds of an open view; null when unknown. A view that the server has
 * just opened cannot be over: if it seems so, the local clock is wrong, and only the server knows.
 */
export function timeLeft(shared: SharedIdea, receivedAt: number): number | null {
  if (shared.viewEndsAt === null) return null;
  const end = Date.parse(shared.viewEndsAt);
  return end > receivedAt ? end - Date.now() : null;
}
