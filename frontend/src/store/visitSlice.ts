import { createSlice, type PayloadAction } from "@reduxjs/toolkit";
import type { SharedIdea } from "@/api/generated";

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

/**
 * The current visit. It is in the store and not in a screen, so that moving between screens does
 * not repeat look-ups: a look-up that returns content may count as a view.
 */
export const visitSlice = createSlice({
  name: "visit",
  initialState: (): VisitState => ({ current: null }),
  reducers: {
    lookupStarted: (state, action: PayloadAction<string>) => {
      state.current = { token: action.payload, status: "verifying" };
    },
    lookupSucceeded: (state, action: PayloadAction<Answer>) => {
      if (state.current?.token === action.payload.token) {
        state.current = { ...action.payload, status: "valid" };
      }
    },
    /** Removes the content, too. */
    visitDenied: (state, action: PayloadAction<{ token: string; reason: DenialReason }>) => {
      if (state.current?.token === action.payload.token) {
        state.current = { ...action.payload, status: "denied" };
      }
    },
    /** The next screen has to look the link up again. */
    visitCleared: (state) => {
      state.current = null;
    },
  },
  selectors: { selectVisit: (state) => state.current },
});

export const { lookupStarted, lookupSucceeded, visitDenied, visitCleared } = visitSlice.actions;
export const { selectVisit } = visitSlice.selectors;
