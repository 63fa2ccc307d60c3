import { nanoid } from "@reduxjs/toolkit";
import {
  allowDrafts,
  type Draft,
  draftKey,
  mayKeepDrafts,
  readDrafts,
  removeDraft,
  writeDraft,
} from "./drafts";

/** The unsaved text that one session keeps in this browser, and what earlier ones left there. */
export class SessionDrafts {
  readonly #session = nanoid();
  readonly #userId: string;
  /** An idea created meanwhile has a key of its own; what was found stays where it is. */
  readonly #foundAt: string;
  #found: readonly Draft[];

  /** Offers those earlier drafts for which `isNews` says that they are not what is saved anyway. */
  constructor(userId: string, ideaId: number | null, isNews: (draft: Draft) => boolean) {
    this.#userId = userId;
    allowDrafts(userId);
    this.#foundAt = draftKey(userId, ideaId);
    this.#found = readDrafts(this.#foundAt).filter(isNews);
  }

  /** The newest draft of an earlier session about which nothing is decided yet. */
  get offer(): Draft | null {
    return this.#found[0] ?? null;
  }

  /** Forgets a draft that was offered. */
  discard(draft: Draft): void {
    this.#found = this.#found.filter(({ session }) => session !== draft.session);
    removeDraft(this.#foundAt, draft.session);
  }

  /**
   * Keeps this session's text in place of what it kept before; false when the browser refuses, or
   * the person has logged out in another tab.
   */
  keep(ideaId: number | null, text: Omit<Draft, "session">): boolean {
    return (
      mayKeepDrafts(this.#userId) &&
      writeDraft(draftKey(this.#userId, ideaId), { session: this.#session, ...text })
    );
  }

  /** Forgets this session's text. */
  drop(ideaId: number | null): void {
    removeDraft(draftKey(this.#userId, ideaId), this.#session);
  }
}
