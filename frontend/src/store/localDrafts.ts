/**
 * Local storage keys of unsaved text. Drafts outlive a session that expires, since they may be the
 * only copy of the text; a logout removes the drafts of that user and of nobody else.
 */

const PREFIX = "ideavault.draft.";

/** Returns the prefix of every storage key that holds unsaved text of one user. */
export const draftPrefix = (userId: string): string => `${PREFIX}${userId}.`;

/** Removes the unsaved text of one user, and the permission to keep any. */
export function removeLocalDrafts(userId: string): void {
  const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index));
  for (const key of keys) {
    if (key?.startsWith(draftPrefix(userId))) localStorage.removeItem(key);
  }
}
