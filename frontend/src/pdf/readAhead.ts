import { fetchRange } from "./byteRange";

/**
 * Reads the beginning of a file ahead, on the assumption that its first page is there, as in most
 * files: the connection would otherwise be idle while pdf.js starts. A failure costs no more than
 * the wait: `read` then resolves to null, and the caller requests the range itself.
 */
export class ReadAhead {
  readonly begin: number;
  readonly end: number;
  /** Resolves when reading has ended, successfully or not. */
  readonly done: Promise<void>;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #stop = new AbortController();
  #length = 0;
  #isOver = false;
  #wake: (() => void)[] = [];

  /** Calls `onBytes` whenever bytes arrive. */
  constructor(url: URL, begin: number, end: number, signal: AbortSignal, onBytes: () => void) {
    this.begin = begin;
    this.end = end;
    this.#bytes = new Uint8Array(end - begin);
    signal.addEventListener("abort", () => this.stop());
    this.done = this.#read(url, onBytes)
      .catch(() => undefined)
      .then(() => {
        this.#isOver = true;
        this.#notify();
      });
  }

  /**
   * Resolves to the available bytes of a range that begins in here, once they have arrived; to null
   * when they will not.
   */
  async read(begin: number, end: number): Promise<Uint8Array<ArrayBuffer> | null> {
    if (begin < this.begin || begin >= this.end) return null;
    const until = Math.min(end, this.end) - this.begin;
    while (this.#length < until && !this.#isOver) {
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
    return this.#length < until ? null : this.#bytes.slice(begin - this.begin, until);
  }

  /** Stops reading in favour of an actual request. Bytes already read are kept. */
  stop(): void {
    this.#stop.abort();
  }

  async #read(url: URL, onBytes: () => void): Promise<void> {
    const { signal } = this.#stop;
    const range = `bytes=${this.begin}-${this.end - 1}`;
    const answer = await fetchRange(url, range, { priority: "low", signal });
    const isIt = answer.headers.get("content-range")?.startsWith(`bytes ${this.begin}-`);
    if (answer.status !== 206 || !isIt || !answer.body) return this.stop();
    const reader = answer.body.getReader();
    // An answer that was begun early does not know the signal.
    const cancel = () => reader.cancel();
    signal.addEventListener("abort", cancel);
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const room = this.#bytes.length - this.#length;
      this.#bytes.set(part.value.subarray(0, room), this.#length);
      this.#length += Math.min(room, part.value.length);
      onBytes();
      this.#notify();
    }
  }

  #notify(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}
