import { type RefObject, useEffect, useState } from "react";

/** Spec section 9: this close to the bottom counts as read. */
const TOLERANCE_PX = 5;

/**
 * Whether the region has been scrolled to its end, or fits without scrolling. Once true it stays
 * true: turning a phone does not unread a text. `region` must have exactly one child.
 */
export function useReadToEnd(region: RefObject<HTMLElement | null>): boolean {
  const [read, setRead] = useState(false);

  useEffect(() => {
    const element = region.current;
    if (!element || read) return;
    const measure = () => {
      const left = element.scrollHeight - element.clientHeight - element.scrollTop;
      if (left <= TOLERANCE_PX) setRead(true);
    };
    // Fonts, zoom, text size and turning the screen all change what fits.
    const resizes = new ResizeObserver(measure);
    resizes.observe(element);
    if (element.firstElementChild) resizes.observe(element.firstElementChild);
    element.addEventListener("scroll", measure, { passive: true });
    measure();
    return () => {
      resizes.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [region, read]);

  return read;
}
