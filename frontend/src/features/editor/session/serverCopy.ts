/**
 * The copy of the unsaved text that the server keeps, so that it waits on another computer as well
 * (docs/rules.md#working-copies).
 *
 * One call at a time: a text that arrived after the call that discards it would come back.
 */
import type { WorkingCopy, WorkingCopyBody } from "@/api/generated";

/** How long typing goes on before the server gets the text, in milliseconds. */
export const SEND_AFTER_MS = 10_000;
/** When a call that failed is tried again, in milliseconds. */
export const RETRY_AFTER_MS = 30_000;

/** Calls about one copy, none of which throws; the idea that was never saved is `null`. */
export interface CopyCalls {
  /** Resolves to null if there is none, or none that can be read. */
  load(ideaId: number | null): Promise<WorkingCopy | null>;
  /** Resolves to whether it is worth no other try: the text is there, or refused. */
  keep(ideaId: number | null, body: WorkingCopyBody): Promise<boolean>;
  /** Discards the copy, if that session wrote it. Resolves as `keep` does. */
  discard(ideaId: number | null, session: string): Promise<boolean>;
}

/** An unsaved text, and where it belongs. */
export interface UnsavedCopy {
  readonly ideaId: number | null;
  readonly body: WorkingCopyBody;
}

/** See the module comment. */
export class ServerCopy {
  readonly #calls: CopyCalls;
  /** What the server is to have. */
  #wanted: UnsavedCopy | null = null;
  /** What it has, or may have. */
  #kept: UnsavedCopy | null = null;
  #isDone = true;
  #isBusy = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(calls: CopyCalls) {
    this.#calls = calls;
  }

  /** Sends a text in a while; when there is none any more, discards at once what was sent. */
  want(copy: UnsavedCopy | null): void {
    if (isSame(copy, this.#wanted)) return;
    this.#wanted = copy;
    this.#isDone = false;
    if (copy === null) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), SEND_AFTER_MS);
  }

  /** Sends or discards now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#isBusy) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    while (!this.#isDone && this.#timer === undefined) {
      const wanted = this.#wanted;
      const isSettled = await this.#call(wanted);
      if (!isSettled) this.#timer ??= setTimeout(() => this.flush(), RETRY_AFTER_MS);
      else this.#isDone = wanted === this.#wanted;
    }
    this.#isBusy = false;
  }

  async #call(wanted: UnsavedCopy | null): Promise<boolean> {
    const kept = this.#kept;
    // Once the idea is created, its text has another place.
    if (kept !== null && kept.ideaId !== wanted?.ideaId) {
      const isSettled = await this.#calls.discard(kept.ideaId, kept.body.session);
      if (!isSettled) return false;
      this.#kept = null;
    }
    if (wanted === null) return true;
    this.#kept = wanted;
    return this.#calls.keep(wanted.ideaId, wanted.body);
  }
}

const isSame = (one: UnsavedCopy | null, other: UnsavedCopy | null) =>
  one?.ideaId === other?.ideaId &&
  one?.body.session === other?.body.session &&
  one?.body.baseRevision === other?.body.baseRevision &&
  one?.body.title === other?.body.title &&
  one?.body.content === other?.body.content;
