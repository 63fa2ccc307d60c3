/**
 * Focuses a field that the user has asked for, or the replacement of a control that had focus. For
 * use as a `ref`: a new function at each render would focus it at each render.
 */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}
