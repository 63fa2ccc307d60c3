/**
 * Layout of the pages of a PDF, as pure functions. Everything is in CSS pixels, and sizes are those
 * at 100 %. Hostile sizes and counts are clamped to what a browser can handle.
 */

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface PageBox extends Size {
  readonly top: number;
  readonly scale: number;
}

export interface PageLayout extends Size {
  readonly pages: readonly PageBox[];
}

/** A position in the document that is independent of the scale. */
interface Anchor {
  readonly index: number;
  /** Fraction of the page's height, from 0 to 1. */
  readonly fraction: number;
}

/** Pixels between pages, and between them and the edge. */
export const GAP = 12;

/** Most pages that are shown; the rest is only in the file itself. */
export const MAX_PAGES = 5000;

/** A4, for pages whose size is unknown or invalid. */
export const DEFAULT_SIZE: Size = { width: 794, height: 1123 };

const ZOOM_STEPS = [0.25, 0.5, 0.67, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5];

/** Largest scale that fitting to the width results in. */
const MAX_FIT_SCALE = 2;

/** Beyond these limits, browsers on phones draw nothing at all. */
const MAX_CANVAS_PIXELS = 16_777_216;
const MAX_CANVAS_SIDE = 8192;

/** Largest ratio of height to width. */
const MAX_ASPECT_RATIO = 50;

/** Clamps a page's size to one that can be laid out. */
export function validSize({ width, height }: Size): Size {
  const isSound = [width, height].every((side) => Number.isFinite(side) && side > 0);
  if (!isSound) return DEFAULT_SIZE;
  return {
    width: Math.max(width, height / MAX_ASPECT_RATIO),
    height: Math.max(height, width / MAX_ASPECT_RATIO),
  };
}

/** Returns the width available for a page in a view of this width. */
export const availableWidth = (viewWidth: number) => Math.max(viewWidth - 2 * GAP, 1);

/** Returns the scale at which a page fills this width. */
export const fitScale = ({ width }: Size, room: number) => Math.min(MAX_FIT_SCALE, room / width);

/** Returns the next zoom step up (1) or down (-1), or the scale itself when there is none. */
export function zoomed(scale: number, direction: 1 | -1): number {
  const isBeyond = (step: number) => (direction === 1 ? step > scale * 1.01 : step < scale * 0.99);
  const steps = ZOOM_STEPS.filter(isBeyond);
  return (direction === 1 ? steps.at(0) : steps.at(-1)) ?? scale;
}

/** Whether there is another step in that direction. */
export const canZoom = (scale: number, direction: 1 | -1) => zoomed(scale, direction) !== scale;

/**
 * Stacks the pages in one column. A page wider than the limit is scaled down by itself: it does not
 * change the others.
 */
export function layOut(sizes: readonly Size[], scale: number, limit: number): PageLayout {
  let top = GAP;
  let widest = 0;
  const pages = sizes.map((size) => {
    const ownScale = Math.min(scale, limit / size.width);
    const page = {
      top,
      scale: ownScale,
      width: size.width * ownScale,
      height: size.height * ownScale,
    };
    top += page.height + GAP;
    widest = Math.max(widest, page.width);
    return page;
  });
  return { pages, width: widest + 2 * GAP, height: top };
}

/** Returns the indexes of the pages that overlap the range between two heights. */
export function pagesBetween({ pages }: PageLayout, from: number, to: number): number[] {
  const indexes: number[] = [];
  for (let index = firstEndingAfter(pages, from); index < pages.length; index += 1) {
    const page = pages[index];
    if (!page || page.top >= to) break;
    indexes.push(index);
  }
  return indexes;
}

/** Returns the index of the current page: the one across the upper third of the view. */
export function currentPage({ pages }: PageLayout, offset: number, viewHeight: number): number {
  const index = firstEndingAfter(pages, offset + viewHeight / 3);
  return Math.max(0, Math.min(index, pages.length - 1));
}

/** Returns the position in the document at a height. */
export function anchorAt({ pages }: PageLayout, offset: number): Anchor {
  const index = Math.max(0, Math.min(firstEndingAfter(pages, offset), pages.length - 1));
  const page = pages[index];
  return { index, fraction: page ? (offset - page.top) / page.height : 0 };
}

/** Returns the height of a position in the document. */
export function offsetOf({ pages }: PageLayout, { index, fraction }: Anchor): number {
  const page = pages[index];
  return page ? Math.max(0, page.top + page.height * fraction) : 0;
}

/** Returns the height to scroll to for a page, with the gap above it in view. */
export const topOf = ({ pages }: PageLayout, index: number) =>
  Math.max(0, (pages[index]?.top ?? GAP) - GAP);

/** Returns the canvas pixels for one CSS pixel: those of the screen, as far as the limits allow. */
export function canvasScale({ width, height }: Size, screenScale: number): number {
  return Math.min(
    Math.max(screenScale, 1),
    Math.sqrt(MAX_CANVAS_PIXELS / (width * height)),
    MAX_CANVAS_SIDE / Math.max(width, height),
  );
}

/** Binary search: pages are ordered by height. */
function firstEndingAfter(pages: readonly PageBox[], offset: number): number {
  let low = 0;
  let high = pages.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const page = pages[middle];
    if (page && page.top + page.height <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
