/**
 * Where unsaved text is kept in this browser. It outlives a session that ends by itself, since it
 * may be all there is of the text; whoever logs out takes their own along, and nobody else's.
 */

const PREFIX = "ideavault.draft.";

/** The start of every storage key that holds unsaved text of one person. */
export const draftPrefix = (userId: string): string => `${PREFIX}${userId}.`;

/** Removes the unsaved text of one person, and with it the leave to keep any. */
export function removeLocalDrafts(userId: string): void {
  const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index));
  for (const key of keys) {
    if (key?.startsWith(draftPrefix(userId))) localStorage.removeItem(key);
  }
}
