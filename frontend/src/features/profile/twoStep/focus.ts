/** Focuses what has just replaced the control that had focus. As a `ref`: its identity is steady. */
export function focusNow(element: HTMLElement | null): void {
  element?.focus();
}
