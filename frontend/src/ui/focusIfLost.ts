/** Focuses an element if what had focus is gone; focus that the user moved elsewhere stays. */
export function focusIfLost(element: HTMLElement | null): void {
  const { activeElement, body } = document;
  if (activeElement === null || activeElement === body) element?.focus();
}
