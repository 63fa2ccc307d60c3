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
import type { ServerCopy } from "./serverCopy";

/** A draft that is offered, and the idea that it was found for. */
interface Found {
  readonly draft: Draft;
  readonly ideaId: number | null;
}

/** Writes the drafts of one session, and offers those of earlier sessions. */
export class SessionDrafts {
  #session = nanoid();
  readonly #userId: string;
  readonly #discardCopy: ServerCopy["discard"];
  /** The idea may have been created since they were found. */
  #found: readonly Found[];

  /** Offers the earlier drafts of this browser. `discardCopy` discards what the server has of one. */
  constructor(userId: string, ideaId: number | null, discardCopy: ServerCopy["discard"]) {
    this.#userId = userId;
    this.#discardCopy = discardCopy;
    allowDrafts(userId);
    this.#found = readDrafts(draftKey(userId, ideaId)).map((draft) => ({ draft, ideaId }));
  }

  /** Name of this session. */
  get session(): string {
    return this.#session;
  }

  /** Newest draft that was set aside, or is of an earlier session; null when none is left. */
  get offer(): Draft | null {
    return this.#found[0]?.draft ?? null;
  }

  /** Offers what waits on the server, unless this browser has the text of that session. */
  offerCopy(ideaId: number | null, copy: Draft): void {
    const known = [this.#session, ...this.#found.map(({ draft }) => draft.session)];
    if (known.includes(copy.session)) return;
    // Last, so that what is on the screen stays there.
    this.#found = [...this.#found, { draft: copy, ideaId }];
  }

  /** Deletes an offered draft, here and on the server. */
  discard({ session }: Draft): void {
    const found = this.#found.find(({ draft }) => draft.session === session);
    if (found === undefined) return;
    removeDraft(draftKey(this.#userId, found.ideaId), session);
    this.#discardCopy(found.ideaId, session);
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
    this.#found = [{ draft, ideaId }, ...this.#found];
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
