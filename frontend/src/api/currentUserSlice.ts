import { createSlice, type PayloadAction } from "@reduxjs/toolkit";
import type { User } from "./generated";

/** The browser storage key that spec section 9 fixes. */
const STORAGE_KEY = "currentUser";

interface CurrentUserState {
  user: User | null;
}

/**
 * The signed-in user as last confirmed by the server. A display copy only: what a caller may do is
 * decided by the server's session. `rememberUser` and `forgetUser` keep browser storage in step.
 */
export const currentUserSlice = createSlice({
  name: "currentUser",
  initialState: (): CurrentUserState => ({ user: null }),
  reducers: {
    userChanged: (state, action: PayloadAction<User | null>) => {
      state.user = action.payload;
    },
  },
  selectors: { selectCurrentUser: (state) => state.user },
});

export const { selectCurrentUser } = currentUserSlice.selectors;

interface Dispatches {
  dispatch: (action: ReturnType<typeof currentUserSlice.actions.userChanged>) => unknown;
}

/** Stores the user the server has just confirmed. */
export function rememberUser({ dispatch }: Dispatches, user: User): void {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(user));
  dispatch(currentUserSlice.actions.userChanged(user));
}

/** Removes the stored user, after logout or when the server no longer knows the session. */
export function forgetUser({ dispatch }: Dispatches): void {
  localStorage.removeItem(STORAGE_KEY);
  dispatch(currentUserSlice.actions.userChanged(null));
}
