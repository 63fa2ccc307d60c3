import type { Idea, IdeaBody } from "@/api/generated";
import type { ApiError } from "@/api/http";
import type { CallResult, SessionCalls } from "./calls";
import { says, type Version } from "./conflict";

/** Outcome of a save: the idea, or why not, and what is there instead if that was the reason. */
export type UpdateResult = CallResult | { error: ApiError; other?: Idea };

/** Saves over the revision that a text started from, or publishes it, and no newer one. */
export class Updates {
  /** That revision; null before the idea was created. */
  base: number | null;
  readonly #calls: Pick<SessionCalls, "update" | "load" | "publish">;
  /** What was sent last without success: the server may have it all the same. */
  #unanswered: Version | null = null;

  constructor(calls: Pick<SessionCalls, "update" | "load" | "publish">, base: number | null) {
    this.#calls = calls;
    this.base = base;
  }

  /** The text now starts from an older revision too, if that is one. */
  mixIn(base: number | null): void {
    if (this.base !== null && base !== null) this.base = Math.min(this.base, base);
  }

  async send(id: number, body: IdeaBody): Promise<UpdateResult> {
    const sent = await this.#calls.update(id, { ...body, baseRevision: this.base });
    const unanswered = this.#unanswered;
    this.#unanswered = "error" in sent ? body : null;
    if (!("error" in sent) || sent.error.status !== 409) return sent;

    this.#unanswered = null;
    const found = await this.#calls.load(id);
    if ("error" in found || found.idea.status === "published") return sent;
    // An earlier try got there, and only its answer was lost.
    if (says(found.idea, body)) return found;
    if (unanswered !== null && says(found.idea, unanswered)) {
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
}
