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
  readonly body: WorkingCopyBody & { readonly session: string };
}

/** A text that is to be discarded. */
type Discarded = Parameters<CopyCalls["discard"]>;

/** See the module comment. */
export class ServerCopy {
  readonly #calls: CopyCalls;
  /** What the server is to have. */
  #wanted: UnsavedCopy | null = null;
  /** What it has, or may have. */
  #kept: UnsavedCopy | null = null;
  /** What needs no other call. */
  #settled: UnsavedCopy | null = null;
  #discarded: readonly Discarded[] = [];
  #isOver = false;
  #isBusy = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(calls: CopyCalls) {
    this.#calls = calls;
  }

  /** Sends a text in a while; when there is none any more, discards at once what was sent. */
  want(copy: UnsavedCopy | null): void {
    if (isSame(copy, this.#wanted)) return;
    this.#wanted = copy;
    const kept = this.#kept;
    // Once the idea is created, its text has another place. One that was set aside keeps its own.
    if (kept !== null && kept.ideaId !== copy?.ideaId) {
      this.#kept = null;
      this.#settled = null;
      this.discard(kept.ideaId, kept.body.session);
    }
    if (copy !== null) this.#timer ??= setTimeout(() => this.flush(), SEND_AFTER_MS);
  }

  /** Discards the text of a session, however often that has to be tried. */
  discard(...discarded: Discarded): void {
    this.#discarded = [...this.#discarded, discarded];
    this.flush();
  }

  /** Sends or discards now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#isBusy) void this.#work();
  }

  /** Goes on after `end`. */
  begin(): void {
    this.#isOver = false;
  }

  /** Sends what is left, once: another session may have the text from now on. */
  end(): void {
    this.flush();
    this.#isOver = true;
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    while (this.#timer === undefined) {
      const call = this.#next();
      if (call === undefined) break;
      const isSettled = await call();
      if (isSettled) continue;
      if (this.#isOver) this.#wanted = null;
      this.#timer ??= setTimeout(() => this.flush(), RETRY_AFTER_MS);
    }
    this.#isBusy = false;
  }

  #next(): (() => Promise<boolean>) | undefined {
    const [discarded] = this.#discarded;
    if (discarded !== undefined) {
      return async () => {
        const isSettled = await this.#calls.discard(...discarded);
        if (isSettled) this.#discarded = this.#discarded.filter((other) => other !== discarded);
        return isSettled;
      };
    }
    const wanted = this.#wanted;
    if (wanted === null || isSame(wanted, this.#settled)) return undefined;
    return async () => {
      this.#kept = wanted;
      const isSettled = await this.#calls.keep(wanted.ideaId, wanted.body);
      if (isSettled && this.#kept === wanted) this.#settled = wanted;
      return isSettled;
    };
  }
}

const isSame = (one: UnsavedCopy | null, other: UnsavedCopy | null) =>
  one?.ideaId === other?.ideaId &&
  one?.body.session === other?.body.session &&
  one?.body.baseRevision === other?.body.baseRevision &&
  one?.body.title === other?.body.title &&
  one?.body.content === other?.body.content;
