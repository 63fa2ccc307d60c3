/** The id of the button that saves, which is there as long as an idea can be changed. */
export const SAVE_BUTTON_ID = "save-idea";

/**
 * A ref for what goes while it may have focus. Nobody is to start over at the top of the page: focus
 * goes on to the button that saves, or to the page's heading where nothing can be saved any more.
 */
export const handsFocusOn = (element: HTMLElement | null) => () => {
  if (element?.contains(document.activeElement)) queueMicrotask(handFocusOn);
};

/** Gives focus to what comes next, unless something else has it by now. */
export function handFocusOn(): void {
  if (document.activeElement !== document.body) return;
  const next = document.getElementById(SAVE_BUTTON_ID) ?? document.querySelector("main h1");
  if (next instanceof HTMLElement) next.focus({ preventScroll: true });
}
