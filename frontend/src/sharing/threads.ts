import type { Comment } from "@/api/generated";

/** How long a comment can be edited, as the server counts it. */
export const EDIT_WINDOW_MS = 10 * 60_000;

/** A comment and its answers, each list oldest first. */
export interface Thread {
  first: Comment;
  answers: Comment[];
}

/** Comments as threads. An answer whose thread is not among them stands alone. */
export function threadsOf(comments: readonly Comment[]): Thread[] {
  const threads = new Map<string, Thread>();
  for (const comment of comments) {
    const thread = comment.replyTo === null ? undefined : threads.get(comment.replyTo);
    if (thread) thread.answers.push(comment);
    else threads.set(comment.id, { first: comment, answers: [] });
  }
  return [...threads.values()];
}

/** Whether the server will probably still take an edit; it has the last word. */
export const isEditable = ({ createdAt, withdrawnAt }: Comment, now: number): boolean =>
  withdrawnAt === null && now - Date.parse(createdAt) < EDIT_WINDOW_MS;

/** A part of a comment: plain, or an address to link to. */
export interface TextPart {
  /** Where it begins in the text. */
  at: number;
  text: string;
  address: string | null;
}

const ADDRESS = /\bhttps?:\/\/[^\s<>"]+/gi;

/** Splits a comment at the web addresses in it. Nothing but http and https is ever a link. */
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

/** What ends a sentence does not belong to the address; a bracket does if it was opened inside. */
function withoutPunctuation(found: string): string {
  let address = found;
  while (/[.,;:!?'*…)\]}]$/u.test(address)) {
    if (address.endsWith(")") && address.includes("(")) break;
    address = address.slice(0, -1);
  }
  return address;
}

/** A name before the host makes an address look like one of somebody else. */
function isLinkable(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password } = new URL(address);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}
