/** Where the toast goes: as high as possible, without covering anything that can be pressed. */

/**
 * Controls, and what takes clicks like them: text being written, and open menus and lists. The
 * title of a dialog counts, too, and the whole of a question: one has to read it to answer.
 */
const PRESSABLE =
  "a, button, input, select, textarea, label, summary, iframe, [contenteditable=true], " +
  "[role=button], [role^=menuitem], [role=option], [role=alertdialog], [role=dialog] h2";
/** Share of the window's height that counts as its top. */
const TOP = 2 / 3;
/** Distance of the probes in pixels; the smallest controls are 24 px wide, and links a line high. */
const COLUMN = 20;
const ROW = 12;

/**
 * Returns the distance of this area from the top of the window, in pixels: where it is now, if
 * nothing that can be pressed is there, or else the topmost such place at the top of the window, or
 * else the window's upper edge.
 */
export function findPlace(area: Element, current: number): number {
  const { left, right, height } = area.getBoundingClientRect();
  const rows = new Map<number, boolean>();
  const isFreeRow = (row: number) => {
    let isFree = rows.get(row);
    if (isFree === undefined) {
      isFree = true;
      for (let x = left + 1; isFree && x < right; x += COLUMN) isFree = !isPressable(area, x, row);
      rows.set(row, isFree);
    }
    return isFree;
  };
  const isFree = (top: number) => {
    for (let row = top; row <= top + height; row += ROW) if (!isFreeRow(row)) return false;
    return true;
  };

  // Nothing is found outside the window, which may have become smaller.
  if (current + height <= innerHeight && isFree(current)) return current;
  for (let top = 0; top + height <= innerHeight * TOP; top += ROW) if (isFree(top)) return top;
  return 0;
}

function isPressable(area: Element, x: number, y: number): boolean {
  const below = document.elementsFromPoint(x, y).find((element) => !area.contains(element));
  return below?.closest(PRESSABLE) != null;
}
