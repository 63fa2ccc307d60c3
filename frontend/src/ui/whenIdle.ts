/** Where a browser cannot tell when it is idle. */
const GUESS_MS = 200;

/** Settles once the page has drawn what it has and has nothing else to do. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in window) requestIdleCallback(() => resolve(), { timeout: 1000 });
    else setTimeout(resolve, GUESS_MS);
  });
}
