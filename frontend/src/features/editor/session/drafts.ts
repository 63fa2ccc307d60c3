/**
 * Unsaved text, kept in this browser until the server has it. One entry per editing session: two
 * tabs on one idea, or a crash followed by new typing, never overwrite each other.
 *
 * Local storage, because it can still be written while a page is being closed.
 */
import { draftPrefix } from "@/api/localDrafts";

const MAX_PER_IDEA = 4;

/** What one session had not saved yet. */
export interface Draft {
  readonly session: string;
  readonly title: string;
  readonly html: string;
  /** Milliseconds since the epoch. */
  readonly savedAt: number;
  /** Revision of the idea that the text started from; null for an idea never saved. */
  readonly baseRevision: number | null;
}

/** Where the drafts of one person for one idea are; `null` means the unsaved new idea. */
export function draftKey(userId: string, ideaId: number | null): string {
  return `${draftPrefix(userId)}${ideaId ?? "new"}`;
}

const leaveKey = (userId: string) => `${draftPrefix(userId)}leave`;

/**
 * Gives leave to keep drafts of a person who is signed in. It stands in storage beside the drafts:
 * a logout in another tab takes it from this one, and a session that ends by itself does not.
 */
export function allowDrafts(userId: string): void {
  try {
    localStorage.setItem(leaveKey(userId), "true");
  } catch {
    // No room for this is no room for drafts; each attempt to keep one says so.
  }
}

/** Whether nobody has logged this person out since. */
export function mayKeepDrafts(userId: string): boolean {
  try {
    return localStorage.getItem(leaveKey(userId)) !== null;
  } catch {
    return false;
  }
}

/** Drafts under a key, newest first. Anything unreadable counts as none. */
export function readDrafts(key: string): Draft[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    if (!Array.isArray(value)) return [];
    return value.filter(isDraft).toSorted((a, b) => b.savedAt - a.savedAt);
  } catch {
    return [];
  }
}

/** Keeps a draft in place of the same session's earlier one; false when the browser refuses. */
export function writeDraft(key: string, draft: Draft): boolean {
  const others = readDrafts(key).filter(({ session }) => session !== draft.session);
  return store(key, [draft, ...others].slice(0, MAX_PER_IDEA));
}

/** Forgets the draft of one session. */
export function removeDraft(key: string, session: string): void {
  const all = readDrafts(key);
  const rest = all.filter((draft) => draft.session !== session);
  if (rest.length !== all.length) store(key, rest);
}

function store(key: string, drafts: readonly Draft[]): boolean {
  try {
    if (drafts.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(drafts));
    return true;
  } catch {
    return false;
  }
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
