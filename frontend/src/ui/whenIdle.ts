/** Delay for browsers without `requestIdleCallback`, in milliseconds. */
const FALLBACK_DELAY_MS = 200;

/** Resolves once the page has rendered and is idle. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in window) requestIdleCallback(() => resolve(), { timeout: 1000 });
    else setTimeout(resolve, FALLBACK_DELAY_MS);
  });
}
