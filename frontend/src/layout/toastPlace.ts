/** Where the toast goes: as high as possible, without covering anything that can be pressed. */

const PRESSABLE = "a, button, input, select, textarea, label, summary, [role=button]";
/** Share of the window's height that counts as its top. */
const TOP = 2 / 3;
/** Distance of the probes in pixels; the smallest controls are 24 px wide, and links a line high. */
const COLUMN = 20;
const ROW = 12;

/** A place for the toast area. */
export interface ToastPlace {
  /** Distance from the top of the window, in pixels. */
  readonly top: number;
  /** Nothing that can be pressed is there. */
  readonly isFree: boolean;
}

/**
 * Returns the place for this area: the one where it is, if that is free, or else the topmost free
 * one at the top of the window, or else the one that covers the least.
 */
export function findPlace(area: Element, current: number): ToastPlace {
  const { left, right, height } = area.getBoundingClientRect();
  const rows = new Map<number, number>();
  const pressablesIn = (row: number) => {
    let count = rows.get(row);
    if (count === undefined) {
      count = 0;
      for (let x = left + 1; x < right; x += COLUMN) if (isPressable(area, x, row)) count += 1;
      rows.set(row, count);
    }
    return count;
  };
  const covered = (top: number) => {
    let count = 0;
    for (let row = top; row <= top + height; row += ROW) count += pressablesIn(row);
    return count;
  };

  let best = { top: current, covers: covered(current) };
  for (let top = 0; best.covers > 0 && top + height <= innerHeight * TOP; top += ROW) {
    const covers = covered(top);
    if (covers < best.covers) best = { top, covers };
  }
  return { top: best.top, isFree: best.covers === 0 };
}

function isPressable(area: Element, x: number, y: number): boolean {
  const below = document.elementsFromPoint(x, y).find((element) => !area.contains(element));
  return below?.closest(PRESSABLE) != null;
}
