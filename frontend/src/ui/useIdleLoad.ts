import { useEffect } from "react";

/** After the page's own loading, and before most people act, in milliseconds. */
const DELAY_MS = 1500;

/**
 * Prefetches a chunk while there is a connection. A failure is ignored here and reported when the
 * chunk is actually needed.
 */
export function useIdleLoad(load: () => Promise<unknown>): void {
  useEffect(() => {
    const timer = setTimeout(() => load().catch(() => undefined), DELAY_MS);
    return () => clearTimeout(timer);
  }, [load]);
}
