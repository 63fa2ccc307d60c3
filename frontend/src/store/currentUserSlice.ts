import type { Action } from "redux";
import type { User } from "@/api/generated";
import { defineAction } from "./action";

/** Local storage key (docs/rules.md#ui-constants). */
export const STORAGE_KEY = "currentUser";

interface CurrentUserState {
  user: User | null;
  /**
   * Whether the server has revalidated the user since the page was loaded; until then it is the
   * stored user.
   */
  isRevalidated: boolean;
}

export const userChanged = defineAction<User | null>("currentUser/userChanged");

/**
 * The signed-in user as the server last sent it. A copy for display only: the server's session
 * decides what the caller may do. `rememberUser` and `forgetUser` keep browser storage in step.
 */
export function currentUserReducer(
  state: CurrentUserState = { user: storedUser(), isRevalidated: false },
  action: Action,
): CurrentUserState {
  return userChanged.match(action) ? { user: action.payload, isRevalidated: true } : state;
}

interface WithCurrentUser {
  currentUser: CurrentUserState;
}

export const selectCurrentUser = ({ currentUser }: WithCurrentUser) => currentUser.user;
export const selectIsRevalidated = ({ currentUser }: WithCurrentUser) => currentUser.isRevalidated;

/** Reads the stored user; null when there is none or it cannot be parsed. */
export function storedUser(): User | null {
  try {
    const value = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "null");
    return typeof value?.id === "string" && typeof value.name === "string" ? value : null;
  } catch {
    // Storage may be blocked, and does not exist where shells are rendered at build time.
    return null;
  }
}

interface Dispatches {
  dispatch: (action: ReturnType<typeof userChanged>) => unknown;
}

/** Stores the user that the server has just sent. */
export function rememberUser({ dispatch }: Dispatches, user: User): void {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(user));
  dispatch(userChanged(user));
}

/** Removes the stored user, after logout or when the server no longer knows the session. */
export function forgetUser({ dispatch }: Dispatches): void {
  localStorage.removeItem(STORAGE_KEY);
  dispatch(userChanged(null));
}
