import { type RefObject, useEffect, useEffectEvent } from "react";

/** Distance from the bottom that counts as read, in pixels. */
const TOLERANCE_PX = 5;

/**
 * Calls `onRead` once the region has been scrolled to its end, or fits without scrolling; not if it
 * `isRead` already, since a text stays read when a phone is turned. `region` must have exactly one
 * child.
 */
export function useReadToEnd(
  region: RefObject<HTMLElement | null>,
  isRead: boolean,
  onRead: () => void,
): void {
  const reportRead = useEffectEvent(onRead);

  useEffect(() => {
    const element = region.current;
    if (!element || isRead) return;
    const measure = () => {
      const left = element.scrollHeight - element.clientHeight - element.scrollTop;
      if (left <= TOLERANCE_PX) reportRead();
    };
    // Fonts, zoom, text size and rotation all change what fits.
    const resizes = new ResizeObserver(measure);
    resizes.observe(element);
    if (element.firstElementChild) resizes.observe(element.firstElementChild);
    element.addEventListener("scroll", measure, { passive: true });
    measure();
    return () => {
      resizes.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [region, isRead]);
}
