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

/** A draft that is offered, and its storage key. */
interface Found {
  readonly draft: Draft;
  readonly key: string;
}

/** Writes the drafts of one session, and offers those of earlier sessions. */
export class SessionDrafts {
  #session = nanoid();
  readonly #userId: string;
  /** An idea created since the session started has another key than the drafts found then. */
  #found: readonly Found[];

  /** Offers the earlier drafts for which `isUnsaved` holds, and deletes the others. */
  constructor(userId: string, ideaId: number | null, isUnsaved: (draft: Draft) => boolean) {
    this.#userId = userId;
    allowDrafts(userId);
    const key = draftKey(userId, ideaId);
    this.#found = readDrafts(key).map((draft) => ({ draft, key }));
    this.dropSaved(isUnsaved);
  }

  /** Newest draft that was set aside, or is of an earlier session; null when none is left. */
  get offer(): Draft | null {
    return this.#found[0]?.draft ?? null;
  }

  /** Deletes an offered draft. */
  discard({ session }: Draft): void {
    const found = this.#found.find(({ draft }) => draft.session === session);
    if (found === undefined) return;
    removeDraft(found.key, session);
    this.#found = this.#found.filter((other) => other !== found);
  }

  /** Deletes the offered drafts for which `isUnsaved` does not hold: the server has their text. */
  dropSaved(isUnsaved: (draft: Draft) => boolean): void {
    for (const { draft } of this.#found) if (!isUnsaved(draft)) this.discard(draft);
  }

  /**
   * Keeps a text, offered as that of an earlier session, while the session goes on with another.
   * Offered even if the browser refuses to keep it.
   */
  setAside(ideaId: number | null, text: Omit<Draft, "session">): void {
    this.keep(ideaId, text);
    const draft = { session: this.#session, ...text };
    this.#found = [{ draft, key: draftKey(this.#userId, ideaId) }, ...this.#found];
    this.#session = nanoid();
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
