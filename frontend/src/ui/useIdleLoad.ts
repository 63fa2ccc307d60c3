import { useEffect } from "react";
import { whenIdle } from "./whenIdle";

/** After the page's own loading, and before most people act, in milliseconds. */
const DELAY_MS = 1500;

/**
 * Prefetches a chunk while there is a connection. A failure is ignored here and reported when the
 * chunk is actually needed.
 */
export function useIdleLoad(load: () => Promise<unknown>): void {
  useEffect(() => {
    const timer = setTimeout(
      () =>
        whenIdle()
          .then(load)
          .catch(() => undefined),
      DELAY_MS,
    );
    return () => clearTimeout(timer);
  }, [load]);
}
