import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "react-router";

/**
 * The screen's h1, visible to screen readers only. Takes focus when the screen opens, but not when
 * its address changes: creating an idea must not move the caret.
 */
export function ScreenHeading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key } = useLocation();
  const arrivedByLink = useRef(key !== "default");

  useEffect(() => {
    if (arrivedByLink.current) heading.current?.focus({ preventScroll: true });
  }, []);

  return (
    <h1 ref={heading} tabIndex={-1} className="sr-only">
      {children}
    </h1>
  );
}
