/**
 * Parses the single element of a piece of stored HTML, for the clipboard; null when there is none.
 */
export function elementFrom(html: string): HTMLElement | null {
  const template = document.createElement("template");
  template.innerHTML = html;
  const element = template.content.firstElementChild;
  return element instanceof HTMLElement ? element : null;
}
