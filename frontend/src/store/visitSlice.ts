import type { Action } from "redux";
import type { SharedIdea } from "@/api/generated";
import { defineAction } from "./action";

/**
 * Why access is denied: an invalid link, no usable response, or a view whose time is over, on a link
 * that may open another one (`ended`) or that opens none (`spent`).
 */
export type DenialReason = "dead" | "unreachable" | "ended" | "spent";

/** The server's response about a link, and its time by the local clock. */
interface Answer {
  token: string;
  shared: SharedIdea;
  receivedAt: number;
}

/** State of the visit to one share link. */
export type Visit =
  | { token: string; status: "verifying" }
  | ({ status: "valid" } & Answer)
  | { token: string; status: "denied"; reason: DenialReason };

interface VisitState {
  current: Visit | null;
}

export const lookupStarted = defineAction<string>("visit/lookupStarted");
export const lookupSucceeded = defineAction<Answer>("visit/lookupSucceeded");
/** Removes the content, too. */
export const visitDenied = defineAction<{ token: string; reason: DenialReason }>("visit/denied");
/** The next screen has to look the link up again. */
export const visitCleared = defineAction("visit/cleared");

/**
 * The current visit. It is in the store and not in a screen, so that moving between screens does
 * not repeat look-ups: a look-up that returns content may count as a view.
 */
export function visitReducer(state: VisitState = { current: null }, action: Action): VisitState {
  const isOfCurrent = ({ token }: { token: string }) => token === state.current?.token;
  if (lookupStarted.match(action)) {
    return { current: { token: action.payload, status: "verifying" } };
  }
  if (lookupSucceeded.match(action) && isOfCurrent(action.payload)) {
    return { current: { ...action.payload, status: "valid" } };
  }
  if (visitDenied.match(action) && isOfCurrent(action.payload)) {
    return { current: { ...action.payload, status: "denied" } };
  }
  return visitCleared.match(action) ? { current: null } : state;
}

export const selectVisit = ({ visit }: { visit: VisitState }) => visit.current;
