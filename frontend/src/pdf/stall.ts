/** Fails work that stalls: reading a damaged PDF may never end and never fail. */

/** Longest time without progress while no range is being transferred, in milliseconds. */
export const IDLE_TIMEOUT_MS = 20_000;
/** Longest time without a byte while a range is being transferred, in milliseconds. */
export const TRANSFER_TIMEOUT_MS = 60_000;
/** Time without progress after which work counts as slow, in milliseconds. */
export const SLOW_AFTER_MS = 10_000;
const CHECK_MS = 1_000;

/** Thrown when there was no progress for too long. */
class StallError extends Error {
  override readonly name = "StallError";
}

/** Detects when the work on one file stalls. */
export class StallDetector {
  readonly #signal: AbortSignal;
  readonly #onSlow: (isSlow: boolean) => void;
  #movedAt = Date.now();
  #transfers = 0;
  #isSlow = false;

  /**
   * Calls `onSlow` when guarded work becomes slow, and when it makes progress again. Watches until
   * the signal.
   */
  constructor(signal: AbortSignal, onSlow: (isSlow: boolean) => void = () => undefined) {
    this.#signal = signal;
    this.#onSlow = onSlow;
  }

  /** Reports progress. */
  moved(): void {
    this.#movedAt = Date.now();
  }

  /** Counts a transfer as running until it has ended. */
  transfer<T>(work: Promise<T>): Promise<T> {
    this.#transfers += 1;
    this.moved();
    return work.finally(() => {
      this.#transfers -= 1;
      this.moved();
    });
  }

  /** Resolves like `work`, or rejects with StallError when there is no progress for too long. */
  async guard<T>(work: Promise<T>): Promise<T> {
    this.moved();
    let timer: ReturnType<typeof setInterval> | undefined;
    const unwatch = () => clearInterval(timer);
    const stalled = new Promise<never>((_, reject) => {
      timer = setInterval(() => {
        this.#reportSlow();
        if (this.#isStalled()) reject(new StallError("No progress for too long"));
      }, CHECK_MS);
    });
    // Work on a file that was closed may never end.
    this.#signal.addEventListener("abort", unwatch);
    if (this.#signal.aborted) unwatch();
    try {
      return await Promise.race([work, stalled]);
    } finally {
      unwatch();
      this.#signal.removeEventListener("abort", unwatch);
    }
  }

  #reportSlow(): void {
    const isSlow = !document.hidden && Date.now() - this.#movedAt >= SLOW_AFTER_MS;
    if (isSlow === this.#isSlow) return;
    this.#isSlow = isSlow;
    this.#onSlow(isSlow);
  }

  #isStalled(): boolean {
    // Browsers draw nothing in a hidden tab.
    if (document.hidden) this.moved();
    const limit = this.#transfers > 0 ? TRANSFER_TIMEOUT_MS : IDLE_TIMEOUT_MS;
    return Date.now() - this.#movedAt >= limit;
  }
}
