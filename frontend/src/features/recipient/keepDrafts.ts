/**
 * A recipient's unsent comments in session storage: a reload gives them back, or a phone that has
 * discarded the tab. They never outlive the tab or the access to the document. Loaded with the
 * comments, and with the screen that follows the end of access.
 */

import { store as keep, readStored, removeStored } from "@/browser/storage";
import { commentTyped, draftsBeside } from "@/store/commentDraftsSlice";
import { RECIPIENT_DRAFTS_KEY } from "@/store/localDrafts";
import type { RootState } from "@/store/store";
import { selectRecipient, selectVisit } from "./visit";

interface StoredDrafts {
  token: string;
  /** Registration of the recipient: nobody else gets the drafts. */
  recipientId: string;
  texts: Record<string, string>;
}

interface Store {
  dispatch: (action: ReturnType<typeof commentTyped>) => unknown;
  getState: () => RootState;
  subscribe: (listener: () => void) => unknown;
}

/** Stores whose drafts are kept: some are sent or discarded after the screen has gone. */
const kept = new WeakSet<Store>();

/** Gives the drafts of the current visit back, and stores them from now on. Idempotent. */
export function keepDrafts(store: Store): void {
  if (kept.has(store)) return;
  kept.add(store);
  let share = restore(store);
  let written: string | null | undefined;
  const update = () => {
    share = shareToStore(store.getState(), share);
    const text = textToStore(store.getState(), share);
    if (text !== written) write(text);
    written = text;
  };
  update();
  store.subscribe(update);
}

type Share = Omit<StoredDrafts, "texts"> | null;

/** Returns the share whose drafts may be stored. */
function shareToStore(state: RootState, before: Share): Share {
  const visit = selectVisit(state);
  if (visit?.status === "denied" && visit.reason !== "unreachable") return null;
  if (visit?.status !== "valid") return before;
  const { stage, recipient } = visit.shared;
  return stage === "open" && recipient ? { token: visit.token, recipientId: recipient.id } : null;
}

function restore(store: Store): Share {
  const stored = read();
  const visit = selectVisit(store.getState());
  if (!stored || stored.token !== visit?.token) return null;
  // On a share that was revoked, the text can still be copied.
  const isTheirs =
    visit.status === "denied" || selectRecipient(store.getState())?.id === stored.recipientId;
  if (!isTheirs) return null;
  for (const [subject, text] of Object.entries(stored.texts)) {
    store.dispatch(commentTyped({ subject, text }));
  }
  return stored;
}

function read(): StoredDrafts | null {
  try {
    return JSON.parse(readStored("sessionStorage", RECIPIENT_DRAFTS_KEY) ?? "null");
  } catch {
    return null;
  }
}

/** Returns what is to be stored; null for nothing. */
function textToStore({ commentDrafts }: RootState, share: Share): string | null {
  const texts: StoredDrafts["texts"] = {};
  for (const subject of share ? draftsBeside(commentDrafts.texts, share.token) : []) {
    const text = commentDrafts.texts[subject];
    if (text?.trim()) texts[subject] = text;
  }
  return Object.keys(texts).length === 0 ? null : JSON.stringify({ ...share, texts });
}

function write(text: string | null): void {
  // Where storage is blocked or full, the drafts last until the page is left.
  if (text === null) removeStored("sessionStorage", RECIPIENT_DRAFTS_KEY);
  else keep("sessionStorage", RECIPIENT_DRAFTS_KEY, text);
}
