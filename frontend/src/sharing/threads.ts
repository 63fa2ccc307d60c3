import type { Comment } from "@/api/generated";

/** How long a comment can be edited, in milliseconds (docs/rules.md#comments). */
const EDIT_WINDOW_MS = 10 * 60_000;

/** A comment and its replies, oldest first. */
interface Thread {
  first: Comment;
  answers: Comment[];
}

/** Groups comments into threads. A reply whose thread is missing is a thread of its own. */
export function threadsOf(comments: readonly Comment[]): Thread[] {
  const threads = new Map<string, Thread>();
  for (const comment of comments) {
    const thread = comment.replyTo === null ? undefined : threads.get(comment.replyTo);
    if (thread) thread.answers.push(comment);
    else threads.set(comment.id, { first: comment, answers: [] });
  }
  return [...threads.values()];
}

/** Comments that are certainly shown at first. */
const LATEST = 20;

/** Returns how many threads, from the first, have none of the latest comments. */
export function earlierThreads(threads: readonly Thread[], comments: readonly Comment[]): number {
  const latest = new Set(comments.slice(-LATEST));
  const isLatest = ({ first, answers }: Thread) => [first, ...answers].some((it) => latest.has(it));
  return Math.max(0, threads.findIndex(isLatest));
}

/** Returns how many comments threads have. */
export const countOf = (threads: readonly Thread[]): number =>
  threads.reduce((count, { answers }) => count + 1 + answers.length, 0);

/** Whether the server will probably still accept an edit; it decides. */
export const isEditable = ({ createdAt, withdrawnAt }: Comment, now: number): boolean =>
  withdrawnAt === null && now - Date.parse(createdAt) < EDIT_WINDOW_MS;

/** A part of a comment: plain text, or an address to link to. */
interface TextPart {
  /** Start offset in the text. */
  at: number;
  text: string;
  address: string | null;
}

const ADDRESS = /\bhttps?:\/\/[^\s<>"]+/gi;

/** Splits a comment at web addresses. Only http and https become links. */
export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  const plainUntil = (at: number) => {
    if (at > end) parts.push({ at: end, text: text.slice(end, at), address: null });
  };
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = withoutPunctuation(found);
    if (!isLinkable(address)) continue;
    plainUntil(index);
    parts.push({ at: index, text: address, address });
    end = index + address.length;
  }
  plainUntil(text.length);
  return parts;
}

/**
 * Removes punctuation at the end of a sentence from an address; keeps a bracket that was opened
 * inside.
 */
function withoutPunctuation(found: string): string {
  let address = found;
  while (/[.,;:!?'*…)\]}]$/u.test(address)) {
    if (address.endsWith(")") && address.includes("(")) break;
    address = address.slice(0, -1);
  }
  return address;
}

/** Rejects user names before the host, which can disguise an address. */
function isLinkable(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password } = new URL(address);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}
