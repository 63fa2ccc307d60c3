import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { anchorAt, currentPage, offsetOf, type PageLayout, topOf } from "./geometry";

/**
 * Scroll position and layout of the viewer. When pages change their size, the position in the
 * document is kept. There is no layout before the viewer has been measured.
 */
export function usePageWindow(
  layout: PageLayout | null,
  startIndex: number,
  onWidth: (width: number) => void,
) {
  const ref = useRef<HTMLElement>(null);
  const [offset, setOffset] = useState(0);
  const [height, setHeight] = useState(0);
  const shown = useRef<PageLayout | null>(null);

  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => {
      setHeight(element.clientHeight);
      onWidth(element.clientWidth);
    };
    // One frame later: a new size may change what is being observed.
    let frame = 0;
    const observer = new ResizeObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(measure);
    });
    const follow = () => setOffset(element.scrollTop);
    observer.observe(element);
    element.addEventListener("scroll", follow, { passive: true });
    measure();
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      element.removeEventListener("scroll", follow);
    };
  }, [onWidth]);

  useLayoutEffect(() => {
    const element = ref.current;
    const before = shown.current;
    if (!element || !layout || before === layout) return;
    shown.current = layout;
    element.scrollTop = before
      ? offsetOf(layout, anchorAt(before, element.scrollTop))
      : topOf(layout, startIndex);
    setOffset(element.scrollTop);
  }, [layout, startIndex]);

  const scrollTo = useCallback((top: number) => ref.current?.scrollTo({ top }), []);
  return {
    ref,
    offset,
    height,
    current: layout ? currentPage(layout, offset, height) : startIndex,
    scrollTo,
  };
}
