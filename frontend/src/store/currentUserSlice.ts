import type { Action } from "redux";
import type { User } from "@/api/generated";
import { readStored, removeStored, store } from "@/browser/storage";
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
  /** Whose screens this tab shows. */
  owner: User | null;
  /** Whether the server has refused a call of these screens because nobody is signed in. */
  isRefused: boolean;
}

/** The user of this tab: after a login, a logout, or an answer of the server. */
export const userChanged = defineAction<User | null>("currentUser/userChanged");

/** The user of another tab, in which somebody has logged in or out. */
export const userChangedElsewhere = defineAction<User | null>("currentUser/userChangedElsewhere");

/**
 * The signed-in user as the server last sent it. A copy for display only: the server's session
 * decides what the caller may do. `rememberUser` and `forgetUser` keep browser storage in step.
 */
export function currentUserReducer(
  state: CurrentUserState = initialState(),
  action: Action,
): CurrentUserState {
  if (userChanged.match(action)) {
    const user = action.payload;
    return { user, isRevalidated: true, owner: user, isRefused: false };
  }
  if (userChangedElsewhere.match(action)) {
    const user = action.payload;
    const isRefused = state.isRefused && user?.id !== state.owner?.id;
    return { ...state, user, isRevalidated: true, isRefused };
  }
  return isRefusal(action) ? { ...state, isRefused: true } : state;
}

function initialState(): CurrentUserState {
  const user = storedUser();
  return { user, isRevalidated: false, owner: user, isRefused: false };
}

/** Whether RTK Query reports a call that the server refused because nobody is signed in. */
function isRefusal(action: Action): boolean {
  const { payload } = action as { payload?: { status?: unknown } };
  return /^api\/execute\w+\/rejected$/.test(action.type) && payload?.status === 401;
}

interface WithCurrentUser {
  currentUser: CurrentUserState;
}

export const selectCurrentUser = ({ currentUser }: WithCurrentUser) => currentUser.user;
export const selectIsRevalidated = ({ currentUser }: WithCurrentUser) => currentUser.isRevalidated;

/**
 * How the session of a signed-in screen has ended. `left`: its owner has logged out in another tab,
 * or somebody else is signed in there. `refused`: the server no longer knows the session.
 */
export type SessionEnd = "left" | "refused";

export function selectSessionEnd({ currentUser }: WithCurrentUser): SessionEnd | null {
  const { user, owner, isRefused } = currentUser;
  const isSame = user?.id === owner?.id;
  // While its owner signs in again in another tab, nobody is signed in.
  if (isRefused && (isSame || user === null)) return "refused";
  return isSame ? null : "left";
}

/** Whose screens this tab shows. */
export const selectOwner = ({ currentUser }: WithCurrentUser) => currentUser.owner;

/** Reads the stored user; null when there is none or it cannot be parsed. */
export function storedUser(): User | null {
  try {
    const value = JSON.parse(readStored("localStorage", STORAGE_KEY) ?? "null");
    return typeof value?.id === "string" && typeof value.name === "string" ? value : null;
  } catch {
    return null;
  }
}

interface Dispatches {
  dispatch: (action: ReturnType<typeof userChanged>) => unknown;
}

/** Stores the user that the server has just sent. */
export function rememberUser({ dispatch }: Dispatches, user: User): void {
  store("localStorage", STORAGE_KEY, JSON.stringify(user));
  dispatch(userChanged(user));
}

/** Removes the stored user, after logout or when the server no longer knows the session. */
export function forgetUser({ dispatch }: Dispatches): void {
  removeStored("localStorage", STORAGE_KEY);
  dispatch(userChanged(null));
}
