import { nanoid } from "@reduxjs/toolkit";
import type { Idea, IdeaBody } from "@/api/generated";
import type { ApiError } from "@/api/http";
import type { SessionCalls } from "./calls";
import { sameVersion, type Version } from "./conflict";

const FIRST_REVISION = 1;
/** Limits memory; a version dropped costs a question in the conflict dialog, and no text. */
const MAX_UNCONFIRMED = 20;

/**
 * Outcome of a save: the idea, `isEarlier` with the text of an earlier attempt, or the failure;
 * after a conflict, or when the idea is published, also the idea on the server.
 */
export type UpdateResult = { idea: Idea; isEarlier?: true } | { error: ApiError; other?: Idea };

/**
 * Creates, saves and publishes with optimistic locking: only over the revision that the text was
 * made from.
 */
export class Updates {
  /** Revision that the text was made from; null before the idea was created. */
  base: number | null;
  readonly #calls: SessionCalls;
  /** Versions whose saves failed over this base: the server may have stored one all the same. */
  #unconfirmed: readonly Version[] = [];
  /** Names the request that creates the idea, once it was sent. */
  #creationKey: string | null = null;

  constructor(calls: SessionCalls, base: number | null) {
    this.#calls = calls;
    this.base = base;
  }

  /** Lowers the base to this revision if that is older. */
  lowerBase(base: number | null): void {
    if (this.base === null || base === null || base >= this.base) return;
    this.base = base;
    // They were made from newer revisions, which the next save must not overwrite unseen.
    this.#unconfirmed = [];
  }

  /** Creates the idea, once, however often an answer is lost. */
  async create(body: IdeaBody): Promise<UpdateResult> {
    const isRepeated = this.#creationKey !== null;
    this.#creationKey ??= nanoid();
    const result = await this.#calls.create(body, this.#creationKey);
    if ("error" in result) {
      // The idea of this key was deleted.
      if (result.error.status === 404) this.#creationKey = null;
      return result;
    }
    if (!isRepeated || sameVersion(result.idea, body)) return result;
    this.base = FIRST_REVISION;
    return { ...result, isEarlier: true };
  }

  async send(id: number, body: IdeaBody): Promise<UpdateResult> {
    const sent = await this.#calls.update(id, { ...body, baseRevision: this.base });
    if (!("error" in sent)) {
      this.#unconfirmed = [];
      return sent;
    }
    if (sent.error.status !== 409) {
      this.#addUnconfirmed(body);
      return sent;
    }
    const found = await this.#calls.load(id);
    if ("error" in found) return sent;
    if (found.idea.status === "published") return { ...sent, other: found.idea };
    const unconfirmed = this.#unconfirmed;
    this.#unconfirmed = [];
    // An earlier attempt was stored, and only its response was lost.
    if (sameVersion(found.idea, body)) return found;
    if (unconfirmed.some((version) => sameVersion(found.idea, version))) {
      this.base = found.idea.revision;
      return this.send(id, body);
    }
    return { ...sent, other: found.idea };
  }

  async publish(id: number): Promise<UpdateResult> {
    const sent = await this.#calls.publish(id, this.base);
    if (!("error" in sent) || sent.error.status !== 409) return sent;
    const found = await this.#calls.load(id);
    return "error" in found ? sent : { ...sent, other: found.idea };
  }

  #addUnconfirmed(version: Version): void {
    const others = this.#unconfirmed.filter((other) => !sameVersion(other, version));
    this.#unconfirmed = [...others, version].slice(-MAX_UNCONFIRMED);
  }
}
