/** Delay for browsers without `requestIdleCallback`, in milliseconds. */
const FALLBACK_DELAY_MS = 200;
/** Longest time that something may keep the page from being idle, in milliseconds. */
const LONGEST_HOLD_MS = 8_000;

const holds = new Set<Promise<void>>();

/** Resolves once the page has rendered and is idle, and nothing holds it busy. */
export async function whenIdle(): Promise<void> {
  do {
    await Promise.all(holds);
    await browserIdle();
  } while (holds.size > 0);
}

/**
 * Holds the page busy for something that needs the whole connection, until the returned function is
 * called, or for some seconds.
 */
export function holdBusy(): () => void {
  let release = () => {};
  const hold = new Promise<void>((resolve) => {
    release = resolve;
    setTimeout(resolve, LONGEST_HOLD_MS);
  });
  holds.add(hold);
  hold.then(() => holds.delete(hold));
  return release;
}

function browserIdle(): Promise<void> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in window) requestIdleCallback(() => resolve(), { timeout: 1000 });
    else setTimeout(resolve, FALLBACK_DELAY_MS);
  });
}
