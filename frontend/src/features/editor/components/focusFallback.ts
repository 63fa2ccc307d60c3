/** Id of the save button, which exists as long as an idea can be changed. */
export const SAVE_BUTTON_ID = "save-idea";

/**
 * Ref for an element that may be removed while it has focus. Focus then moves to the save button,
 * or to the page's heading when nothing can be saved any more, instead of the top of the page.
 */
export const withFocusFallback = (element: HTMLElement | null) => () => {
  if (element?.contains(document.activeElement)) queueMicrotask(focusFallback);
};

/** Moves focus on, unless another element has it by now. */
export function focusFallback(): void {
  if (document.activeElement === document.body) fallbackTarget()?.focus({ preventScroll: true });
}

/** Returns what takes focus when the element that had it is gone. */
export const fallbackTarget = (): HTMLElement | null =>
  document.getElementById(SAVE_BUTTON_ID) ?? document.querySelector<HTMLElement>("main h1");
