/**
 * Where unsaved text is kept in this browser. It outlives a session that ends by itself, since it
 * may be all there is of the text; whoever logs out takes it along.
 */

/** The start of every storage key that holds unsaved text. */
export const DRAFT_PREFIX = "ideavault.draft.";

/** Removes the unsaved text of everyone who worked in this browser. */
export function removeLocalDrafts(): void {
  const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index));
  for (const key of keys) {
    if (key?.startsWith(DRAFT_PREFIX)) localStorage.removeItem(key);
  }
}
