/**
 * Word puts list items on the clipboard as indented paragraphs with a typed marker. This module
 * rewrites runs of them as real nested lists before the import.
 */

const LEVEL = /mso-list:[^;]*\blevel(\d+)/i;
const MARKER = '[style*="mso-list:Ignore"], [style*="mso-list: Ignore"]';
/** Letters need punctuation: Word also draws bullets with letters of a symbol font. */
const IS_ORDERED = /\d|^\(?\p{L}+[.)]/u;
const HEADING = /^H[1-6]$/;

/** Replaces Word's list paragraphs under `root`, in place. */
export function nestWordLists(root: HTMLElement): void {
  let open: HTMLElement[] = [];
  /** Latest number of each level: text between two items divides a list, but numbers go on. */
  const numbers: (number | null)[] = [];
  for (const paragraph of [...root.querySelectorAll<HTMLElement>('[style*="mso-list"]')]) {
    const level = wordLevel(paragraph);
    if (level === null) continue;
    if (HEADING.test(paragraph.tagName)) {
      typeMarker(paragraph);
      continue;
    }
    const marker = markerOf(paragraph);
    numbers[level] = numberOf(marker);
    const before = paragraph.previousElementSibling;
    if (open[0] === undefined || before !== open[0]) open = [];
    open = open.slice(0, level);
    if (open.length === level && open.at(-1)?.tagName !== listTag(marker)) open.pop();
    while (open.length < level) {
      open.push(openList(open.at(-1), paragraph, numbers[open.length + 1] ?? null));
    }
    open.at(-1)?.append(toItem(paragraph));
  }
}

/**
 * Whether Word's list numbers are not those that our lists show: letters, "2.1", "[0001]", and a
 * list that begins anew without text before it, which becomes one with the list above.
 */
export function losesWordNumbers(root: HTMLElement): boolean {
  return skipsNumbers(root) || hasOtherNumbers(root);
}

function skipsNumbers(root: HTMLElement): boolean {
  let previous: Element | null = null;
  let numbers: (number | null)[] = [];
  for (const paragraph of root.querySelectorAll<HTMLElement>('[style*="mso-list"]')) {
    const level = wordLevel(paragraph);
    if (level === null || HEADING.test(paragraph.tagName)) continue;
    const number = numberOf(markerOf(paragraph));
    if (previous === null || paragraph.previousElementSibling !== previous) numbers = [];
    // Lists within the item above have ended.
    numbers = numbers.slice(0, level + 1);
    const last = numbers[level] ?? null;
    if (last !== null && number !== null && number !== last + 1) return true;
    numbers[level] = number;
    previous = paragraph;
  }
  return false;
}

function hasOtherNumbers(root: HTMLElement): boolean {
  return [...root.querySelectorAll(MARKER)].some((element) => {
    const marker = element.textContent.trim();
    const isKept =
      element.closest("h1, h2, h3, h4, h5, h6") !== null || /^0*[1-9]\d*[.)]$/.test(marker);
    return IS_ORDERED.test(marker) && !isKept;
  });
}

function wordLevel(element: HTMLElement): number | null {
  const level = LEVEL.exec(element.getAttribute("style") ?? "")?.[1];
  return level === undefined ? null : Math.min(Math.max(Number(level), 1), 9);
}

const markerOf = (paragraph: HTMLElement): string =>
  paragraph.querySelector(MARKER)?.textContent.trim() ?? "";

/** Returns the number of an item within its list, such as 3 of "2.3."; null when it has none. */
function numberOf(marker: string): number | null {
  const number = /(\d+)\D*$/.exec(marker)?.[1];
  return number === undefined ? null : Number(number);
}

const listTag = (marker: string) => (IS_ORDERED.test(marker) ? "OL" : "UL");

function openList(
  parent: HTMLElement | undefined,
  paragraph: HTMLElement,
  start: number | null,
): HTMLElement {
  const list = paragraph.ownerDocument.createElement(listTag(markerOf(paragraph)));
  if (start !== null) list.setAttribute("start", String(start));
  if (parent === undefined) paragraph.before(list);
  else if (parent.lastElementChild !== null) parent.lastElementChild.append(list);
  else parent.appendChild(paragraph.ownerDocument.createElement("li")).append(list);
  return list;
}

/** Makes the number of a heading part of its text: headings are not numbered here. */
function typeMarker(heading: HTMLElement): void {
  const text = markerOf(heading);
  if (!IS_ORDERED.test(text)) return;
  for (const marker of heading.querySelectorAll(MARKER)) marker.replaceWith(`${text} `);
}

function toItem(paragraph: HTMLElement): HTMLElement {
  for (const marker of paragraph.querySelectorAll(MARKER)) marker.remove();
  const item = paragraph.ownerDocument.createElement("li");
  item.append(...paragraph.childNodes);
  paragraph.remove();
  return item;
}
