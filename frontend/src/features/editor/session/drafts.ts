/**
 * Drafts of unsaved text in local storage, kept until the server has the text. One entry per
 * editing session: two tabs on one idea, or a crash followed by new typing, never overwrite each
 * other.
 *
 * Local storage, because it can still be written while a page is being closed.
 */
import { readStored, removeStored, store } from "@/browser/storage";
import { draftPrefix, permissionKey } from "@/store/localDrafts";

/** More than people reach; what bounds the drafts is the storage of the browser. */
const MAX_PER_IDEA = 20;

/** Unsaved text of one session. */
export interface Draft {
  readonly session: string;
  readonly title: string;
  readonly html: string;
  /** Milliseconds since the epoch. */
  readonly savedAt: number;
  /** Revision that the text was made from; null for an idea never saved. */
  readonly baseRevision: number | null;
}

/**
 * Returns the storage key of a user's drafts for one idea; `null` is the new idea, not saved yet.
 */
export function draftKey(userId: string, ideaId: number | null): string {
  return `${draftPrefix(userId)}${ideaId ?? "new"}`;
}

/**
 * Permits drafts of a signed-in user. The permission is stored beside the drafts: a logout in
 * another tab revokes it for this one, while an expired session does not.
 */
export function allowDrafts(userId: string): void {
  // A full storage takes no drafts either, and each attempt to keep one reports that.
  store("localStorage", permissionKey(userId), "true");
}

/** Whether the user has not been logged out since. */
export const mayKeepDrafts = (userId: string): boolean =>
  readStored("localStorage", permissionKey(userId)) !== null;

/** Reads the drafts under a key, newest first. Unreadable entries are skipped. */
export function readDrafts(key: string): Draft[] {
  try {
    const value: unknown = JSON.parse(readStored("localStorage", key) ?? "[]");
    if (!Array.isArray(value)) return [];
    return value.filter(isDraft).toSorted((a, b) => b.savedAt - a.savedAt);
  } catch {
    return [];
  }
}

/**
 * Writes a draft over the same session's earlier one; false when the browser refuses, or when there
 * are too many drafts of other sessions, none of which may be dropped for this one.
 */
export function writeDraft(key: string, draft: Draft): boolean {
  const others = readDrafts(key).filter(({ session }) => session !== draft.session);
  return others.length < MAX_PER_IDEA && keep(key, [draft, ...others]);
}

/** Removes the draft of one session. */
export function removeDraft(key: string, session: string): void {
  const all = readDrafts(key);
  const rest = all.filter((draft) => draft.session !== session);
  if (rest.length !== all.length) keep(key, rest);
}

function keep(key: string, drafts: readonly Draft[]): boolean {
  if (drafts.length > 0) return store("localStorage", key, JSON.stringify(drafts));
  removeStored("localStorage", key);
  return true;
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== "object" || value === null) return false;
  const { session, title, html, savedAt, baseRevision } = value as Record<string, unknown>;
  return (
    typeof session === "string" &&
    typeof title === "string" &&
    typeof html === "string" &&
    typeof savedAt === "number" &&
    (baseRevision === null || typeof baseRevision === "number")
  );
}
