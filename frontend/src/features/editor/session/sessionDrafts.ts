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

/** Writes the drafts of one session, and offers those of earlier sessions. */
export class SessionDrafts {
  readonly #session = nanoid();
  readonly #userId: string;
  /**
   * Key that the session started with. An idea created since has a key of its own, while the drafts
   * found stay here.
   */
  readonly #foundAt: string;
  #found: readonly Draft[];

  /** Offers the earlier drafts for which `isUnsaved` holds. */
  constructor(userId: string, ideaId: number | null, isUnsaved: (draft: Draft) => boolean) {
    this.#userId = userId;
    allowDrafts(userId);
    this.#foundAt = draftKey(userId, ideaId);
    this.#found = readDrafts(this.#foundAt).filter(isUnsaved);
  }

  /** Newest draft of an earlier session that was neither restored nor discarded. */
  get offer(): Draft | null {
    return this.#found[0] ?? null;
  }

  /** Deletes an offered draft. */
  discard(draft: Draft): void {
    this.#found = this.#found.filter(({ session }) => session !== draft.session);
    removeDraft(this.#foundAt, draft.session);
  }

  /**
   * Writes this session's draft over its earlier one; false when the browser refuses, or after a
   * logout in another tab.
   */
  keep(ideaId: number | null, text: Omit<Draft, "session">): boolean {
    return (
      mayKeepDrafts(this.#userId) &&
      writeDraft(draftKey(this.#userId, ideaId), { session: this.#session, ...text })
    );
  }

  /** Removes this session's draft. */
  drop(ideaId: number | null): void {
    removeDraft(draftKey(this.#userId, ideaId), this.#session);
  }
}
