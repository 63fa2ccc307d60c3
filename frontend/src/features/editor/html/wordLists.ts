/**
 * Word puts list items on the clipboard as indented paragraphs with a typed bullet. This module
 * rewrites runs of them as real nested lists before the import.
 */

const LEVEL = /mso-list:[^;]*\blevel(\d+)/i;
const MARKER = '[style*="mso-list:Ignore"], [style*="mso-list: Ignore"]';

/** Replaces Word's list paragraphs under `root`, in place. */
export function nestWordLists(root: HTMLElement): void {
  let open: HTMLElement[] = [];
  for (const paragraph of [...root.querySelectorAll<HTMLElement>('[style*="mso-list"]')]) {
    const level = wordLevel(paragraph);
    if (level === null) continue;
    const before = paragraph.previousElementSibling;
    if (open[0] === undefined || before !== open[0]) open = [];
    open = open.slice(0, level);
    while (open.length < level) open.push(openList(open.at(-1), paragraph));
    open.at(-1)?.append(toItem(paragraph));
  }
}

function wordLevel(element: HTMLElement): number | null {
  const level = LEVEL.exec(element.getAttribute("style") ?? "")?.[1];
  return level === undefined ? null : Math.min(Math.max(Number(level), 1), 9);
}

function openList(parent: HTMLElement | undefined, paragraph: HTMLElement): HTMLElement {
  const marker = paragraph.querySelector(MARKER)?.textContent.trim() ?? "";
  const list = paragraph.ownerDocument.createElement(/^\w+[.)]/.test(marker) ? "ol" : "ul");
  if (parent === undefined) paragraph.before(list);
  else if (parent.lastElementChild !== null) parent.lastElementChild.append(list);
  else parent.appendChild(paragraph.ownerDocument.createElement("li")).append(list);
  return list;
}

function toItem(paragraph: HTMLElement): HTMLElement {
  for (const marker of paragraph.querySelectorAll(MARKER)) marker.remove();
  const item = paragraph.ownerDocument.createElement("li");
  item.append(...paragraph.childNodes);
  paragraph.remove();
  return item;
}
