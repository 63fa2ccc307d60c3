import type { Store } from "redux";
import { STORAGE_KEY, storedUser, userChangedElsewhere } from "@/store/currentUserSlice";

const followers = new WeakSet<Store>();

/**
 * Keeps the user of this tab in step with logins and logouts in other tabs, which change the stored
 * user. It goes on after a logout, since a login may follow it.
 */
export function followOtherTabs(store: Store): void {
  if (followers.has(store)) return;
  followers.add(store);
  window.addEventListener("storage", ({ key }) => {
    // No key: all of the storage was cleared.
    if (key !== STORAGE_KEY && key !== null) return;
    store.dispatch(userChangedElsewhere(storedUser()));
  });
}
