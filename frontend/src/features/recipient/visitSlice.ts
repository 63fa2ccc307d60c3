import { createSlice, type PayloadAction } from "@reduxjs/toolkit";
import type { SharedIdea } from "@/api/generated";

/** Why nothing is shown: a dead link, no usable answer, or a view whose time is over. */
export type DenialReason = "dead" | "unreachable" | "ended";

/** What the server said about a link, and when that was by this computer's clock. */
interface Answer {
  token: string;
  shared: SharedIdea;
  verifiedAt: number;
}

/** What the browser knows about one share link (spec section 4, "Access check"). */
export type Visit =
  | { token: string; status: "verifying" }
  | ({ status: "valid" } & Answer)
  | { token: string; status: "denied"; reason: DenialReason };

interface VisitState {
  current: Visit | null;
}

/**
 * The share link that is being visited. It lives in the store and not in a screen, so that going
 * from screen to screen asks the server no more than needed: a look-up that carries content may
 * count as a view.
 */
export const visitSlice = createSlice({
  name: "visit",
  initialState: (): VisitState => ({ current: null }),
  reducers: {
    visitStarted: (state, action: PayloadAction<string>) => {
      state.current = { token: action.payload, status: "verifying" };
    },
    visitVerified: (state, action: PayloadAction<Answer>) => {
      if (state.current?.token === action.payload.token) {
        state.current = { ...action.payload, status: "valid" };
      }
    },
    /** Drops what was shown, too. */
    visitDenied: (state, action: PayloadAction<{ token: string; reason: DenialReason }>) => {
      if (state.current?.token === action.payload.token) {
        state.current = { ...action.payload, status: "denied" };
      }
    },
    /** The next screen has to ask the server again. */
    visitForgotten: (state) => {
      state.current = null;
    },
  },
  selectors: { selectVisit: (state) => state.current },
});

export const { visitStarted, visitVerified, visitDenied, visitForgotten } = visitSlice.actions;
export const { selectVisit } = visitSlice.selectors;
