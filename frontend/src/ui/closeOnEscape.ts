import type { KeyboardEvent } from "react";

/**
 * Closes a window by Escape while a toast is shown, too. Radix gives the key to the layer that
 * opened last and takes a toast for one, so that the window under it would have to wait.
 */
export const closeOnEscape = (close: () => void) => (event: KeyboardEvent) => {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  event.preventDefault();
  close();
};
