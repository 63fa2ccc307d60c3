import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { cx } from "./cx";
import { vaultName } from "./vault";

interface PageHeadingProps {
  children: ReactNode;
  /** The document's title, unique per route; the vault's name is added. */
  documentTitle: string;
  className?: string;
  /** Takes focus and scrolls to the top, also on the first page: for one that replaces another. */
  takesFocus?: boolean;
}

/**
 * The page's only h1. Sets the document title and, after a navigation, takes focus, so that screen
 * readers announce the new page and Tab starts at its top.
 */
export function PageHeading({
  children,
  documentTitle,
  className,
  takesFocus = false,
}: PageHeadingProps) {
  const ref = useRef<HTMLHeadingElement>(null);
  const { key } = useLocation();
  const isFirstPage = key === "default";

  useEffect(() => {
    document.title = `${documentTitle} · ${vaultName()}`;
  }, [documentTitle]);

  useEffect(() => {
    if (takesFocus || !isFirstPage) ref.current?.focus({ preventScroll: true });
    // The content it replaces may have been scrolled. After a navigation, the router scrolls.
    if (takesFocus) window.scrollTo(0, 0);
  }, [takesFocus, isFirstPage]);

  return (
    <h1
      ref={ref}
      tabIndex={-1}
      dir="auto"
      className={cx("font-semibold font-serif text-3xl", className)}
    >
      {children}
    </h1>
  );
}
