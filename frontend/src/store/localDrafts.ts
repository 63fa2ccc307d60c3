/**
 * Storage keys of unsaved text. Drafts outlive a session that expires, since they may be the
 * only copy of the text; a logout removes the drafts of that user and of nobody else.
 */

import { removeStored, storedKeys } from "@/browser/storage";

const PREFIX = "ideavault.draft.";

/** Returns the prefix of every storage key that holds unsaved text of one user. */
export const draftPrefix = (userId: string): string => `${PREFIX}${userId}.`;

/** Storage key that stands for the permission to keep unsaved text of one user. */
export const permissionKey = (userId: string): string => `${draftPrefix(userId)}leave`;

/** Whether this browser keeps unsaved text of one user. */
export const hasLocalDrafts = (userId: string): boolean =>
  keysOf(userId).some((key) => key !== permissionKey(userId));

/** Session storage key of a comment that a recipient has not sent (docs/rules.md#ui-constants). */
export const RECIPIENT_DRAFTS_KEY = "ideavault.comments";

/** Removes the unsaved text of one user, and the permission to keep any. */
export function removeLocalDrafts(userId: string): void {
  removeStored("sessionStorage", RECIPIENT_DRAFTS_KEY);
  for (const key of keysOf(userId)) removeStored("localStorage", key);
}

const keysOf = (userId: string): string[] =>
  storedKeys("localStorage").filter((key) => key.startsWith(draftPrefix(userId)));
