import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "react-router";

/**
 * The screen's h1, for those who cannot see that it is an editor. Takes focus when the screen
 * opens, and not when its address changes: creating an idea must leave the caret where it is.
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
