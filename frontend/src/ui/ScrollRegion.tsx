import type { ComponentProps } from "react";

/**
 * A part of the page that scrolls. Without a tab stop, the keyboard could not scroll it in every
 * browser (WCAG 2.1.1). Give it a name, and a role if it is no section.
 */
export function ScrollRegion(props: ComponentProps<"section">) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
  return <section tabIndex={0} {...props} />;
}
