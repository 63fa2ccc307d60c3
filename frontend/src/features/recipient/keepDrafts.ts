/**
 * A reader's unsent comments in session storage: a reload gives them back, or a phone that has
 * discarded the tab. They never outlive the tab or the access to the document. Loaded with the
 * comments, and with the screen that follows the end of access.
 */

import { store as keep, readStored, removeStored } from "@/browser/storage";
import { commentTyped, draftsBeside } from "@/store/commentDraftsSlice";
import { READER_DRAFTS_KEY } from "@/store/localDrafts";
import type { RootState } from "@/store/store";
import { selectRecipient, selectVisit } from "./visit";

interface StoredDrafts {
  token: string;
  /** Registration of the reader: nobody else gets the drafts. */
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
  let link = restore(store);
  let written: string | null | undefined;
  const update = () => {
    link = linkToStore(store.getState(), link);
    const text = textToStore(store.getState(), link);
    if (text !== written) write(text);
    written = text;
  };
  update();
  store.subscribe(update);
}

type Link = Omit<StoredDrafts, "texts"> | null;

/** Returns the link whose drafts may be stored. */
function linkToStore(state: RootState, before: Link): Link {
  const visit = selectVisit(state);
  if (visit?.status === "denied" && visit.reason !== "unreachable") return null;
  if (visit?.status !== "valid") return before;
  const { stage, recipient } = visit.shared;
  return stage === "open" && recipient ? { token: visit.token, recipientId: recipient.id } : null;
}

function restore(store: Store): Link {
  const stored = read();
  const visit = selectVisit(store.getState());
  if (!stored || stored.token !== visit?.token) return null;
  // On a link that was revoked, the text can still be copied.
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
    return JSON.parse(readStored("sessionStorage", READER_DRAFTS_KEY) ?? "null");
  } catch {
    return null;
  }
}

/** Returns what is to be stored; null for nothing. */
function textToStore({ commentDrafts }: RootState, link: Link): string | null {
  const texts: StoredDrafts["texts"] = {};
  for (const subject of link ? draftsBeside(commentDrafts.texts, link.token) : []) {
    const text = commentDrafts.texts[subject];
    if (text?.trim()) texts[subject] = text;
  }
  return Object.keys(texts).length === 0 ? null : JSON.stringify({ ...link, texts });
}

function write(text: string | null): void {
  // Where storage is blocked or full, the drafts last until the page is left.
  if (text === null) removeStored("sessionStorage", READER_DRAFTS_KEY);
  else keep("sessionStorage", READER_DRAFTS_KEY, text);
}
