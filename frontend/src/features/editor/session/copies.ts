import { nanoid } from "@reduxjs/toolkit";
import type { IdeaBody } from "@/api/generated";
import type { CallResult, SessionCalls } from "./calls";
import { sameVersion } from "./conflict";

/** Saves texts as new ideas, each text once, however often an answer is lost. */
export class Copies {
  readonly #calls: Pick<SessionCalls, "create">;
  /** The last text, unless it has become an idea, and the key of its request. */
  #unsaved: { readonly body: IdeaBody; readonly key: string } | null = null;

  constructor(calls: Pick<SessionCalls, "create">) {
    this.#calls = calls;
  }

  async create(body: IdeaBody): Promise<CallResult> {
    const last = this.#unsaved;
    const request = last && sameVersion(last.body, body) ? last : { body, key: nanoid() };
    this.#unsaved = request;
    const result = await this.#calls.create(body, request.key);
    // With 404, the idea of this key was deleted.
    if ("idea" in result || result.error.status === 404) this.#unsaved = null;
    return result;
  }
}
