import { type RefObject, useCallback, useEffect, useState } from "react";
import { useIdleLoad } from "./useIdleLoad";

/**
 * Returns whether an element has come near the viewport, or the page has been idle for a while: the
 * time to load what will be in its place. It has to be reached by the keyboard, the browser's search
 * and screen readers as well, which need not scroll.
 */
export function useNear(place: RefObject<Element | null>): boolean {
  const [isNear, setIsNear] = useState(false);
  useIdleLoad(useCallback(async () => setIsNear(true), []));
  useEffect(() => {
    if (!place.current || isNear) return;
    const observer = new IntersectionObserver(
      (entries) => {
        // Never back: the page may have been idle since the browser looked.
        if (entries.some(({ isIntersecting }) => isIntersecting)) setIsNear(true);
      },
      // As high as the viewport, above and below it.
      { rootMargin: "100% 0%" },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [place, isNear]);
  return isNear;
}
