import type { KeyboardEvent } from "react";

/**
 * Closes a window by Escape also while a toast is shown. Radix gives the key to the layer that
 * opened last and counts a toast as one, so that the window below would not get it.
 */
export const closeOnEscape = (close: () => void) => (event: KeyboardEvent) => {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  event.preventDefault();
  close();
};
