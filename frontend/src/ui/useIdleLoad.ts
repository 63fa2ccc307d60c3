import { useEffect } from "react";

/** Past the page's own loading, and before most people act. */
const DELAY_MS = 1500;

/**
 * Fetches a chunk before it is needed: when it is, the connection may be the very thing that is
 * gone. A failure shows itself when the chunk is really asked for.
 */
export function useIdleLoad(load: () => Promise<unknown>): void {
  useEffect(() => {
    const timer = setTimeout(() => load().catch(() => undefined), DELAY_MS);
    return () => clearTimeout(timer);
  }, [load]);
}
