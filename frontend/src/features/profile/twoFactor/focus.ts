/** Focuses the replacement of the control that had focus. For use as a `ref`: a stable function. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}
