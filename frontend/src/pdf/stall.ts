/** Ends what waits for ever: reading a damaged PDF can go on without end and without a word. */

/** How long nothing may happen while no part of the file is under way. */
export const IDLE_TIMEOUT_MS = 20_000;
/** How long a part of the file may be under way, on the slowest line. */
export const TRANSFER_TIMEOUT_MS = 60_000;
const CHECK_MS = 1_000;

/** Nothing has happened for too long. */
export class StallError extends Error {
  override readonly name = "StallError";
}

/** Notices when the work on one file stands still. */
export class StallDetector {
  #movedAt = Date.now();
  #transfers = 0;

  /** Something has happened. */
  moved(): void {
    this.#movedAt = Date.now();
  }

  /** Counts a transfer as under way until it has ended. */
  transfer<T>(work: Promise<T>): Promise<T> {
    this.#transfers += 1;
    this.moved();
    return work.finally(() => {
      this.#transfers -= 1;
      this.moved();
    });
  }

  /** Gives what `work` gives, or fails once nothing has happened for too long. */
  async guard<T>(work: Promise<T>): Promise<T> {
    this.moved();
    let timer: ReturnType<typeof setInterval> | undefined;
    const stalled = new Promise<never>((_, reject) => {
      timer = setInterval(() => {
        if (this.#isStalled()) reject(new StallError("Nothing has happened for too long"));
      }, CHECK_MS);
    });
    try {
      return await Promise.race([work, stalled]);
    } finally {
      clearInterval(timer);
    }
  }

  #isStalled(): boolean {
    // Browsers draw nothing in a tab that nobody looks at.
    if (document.hidden) this.moved();
    const limit = this.#transfers > 0 ? TRANSFER_TIMEOUT_MS : IDLE_TIMEOUT_MS;
    return Date.now() - this.#movedAt >= limit;
  }
}
