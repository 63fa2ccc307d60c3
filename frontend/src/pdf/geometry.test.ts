import { expect, test } from "vitest";
import {
  anchorAt,
  availableWidth,
  canvasScale,
  canZoom,
  currentPage,
  DEFAULT_SIZE,
  fitScale,
  GAP,
  layOut,
  offsetOf,
  pagesBetween,
  type Size,
  topOf,
  validSize,
  zoomed,
} from "./geometry";

const A4 = { width: 800, height: 1100 };
const SLIDE = { width: 1600, height: 900 };
const stack = (sizes: readonly Size[], scale: number) =>
  layOut(sizes, scale, Number.POSITIVE_INFINITY);
const pages = (count: number) => Array.from({ length: count }, () => A4);

test("stacks the pages with a gap around each", () => {
  const layout = layOut([A4, SLIDE], 0.5, Number.POSITIVE_INFINITY);
  expect(layout.pages).toEqual([
    { top: GAP, scale: 0.5, width: 400, height: 550 },
    { top: GAP + 550 + GAP, scale: 0.5, width: 800, height: 450 },
  ]);
  expect(layout).toMatchObject({ width: 800 + 2 * GAP, height: 550 + 450 + 3 * GAP });
});

test("fits a page into the available size, and enlarges a small one up to a limit", () => {
  expect(fitScale(A4, availableWidth(400 + 2 * GAP))).toBe(0.5);
  expect(fitScale({ width: 10, height: 10 }, 1400)).toBe(2);
  expect(fitScale(A4, availableWidth(0))).toBeGreaterThan(0);
});

test("makes a page that is too wide fit, and leaves the others alone", () => {
  const layout = layOut([A4, SLIDE, A4], 1, 800);
  expect(layout.pages.map(({ width, scale }) => [width, scale])).toEqual([
    [800, 1],
    [800, 0.5],
    [800, 1],
  ]);
  expect(layout.pages[1]?.height).toBe(450);
});

test("zooms in steps from any scale, and stops at the ends", () => {
  expect(zoomed(0.91, 1)).toBe(1);
  expect(zoomed(0.91, -1)).toBe(0.9);
  expect(zoomed(1, 1)).toBe(1.1);
  expect(canZoom(5, 1)).toBe(false);
  expect(canZoom(0.25, -1)).toBe(false);
  expect(canZoom(0.02, 1)).toBe(true);
});

test("finds the pages that intersect a range, and no others", () => {
  const layout = stack(pages(1000), 1);
  const [, , third, fourth] = layout.pages;
  expect(pagesBetween(layout, third?.top ?? 0, (fourth?.top ?? 0) + 1)).toEqual([2, 3]);
  expect(pagesBetween(layout, third?.top ?? 0, fourth?.top ?? 0)).toEqual([2]);
  expect(pagesBetween(layout, -500, 1)).toEqual([]);
  expect(pagesBetween(layout, layout.height, layout.height + 500)).toEqual([]);
});

test("names the page across the upper third of the view as the current one", () => {
  const layout = stack(pages(3), 1);
  expect(currentPage(layout, 0, 900)).toBe(0);
  expect(currentPage(layout, topOf(layout, 1), 900)).toBe(1);
  expect(currentPage(layout, layout.height * 2, 900)).toBe(2);
  expect(currentPage(stack([], 1), 0, 900)).toBe(0);
});

test.each([GAP, 300, 1500, 2900])(
  "keeps the place at %i px through a change of scale",
  (offset) => {
    const before = stack(pages(3), 1);
    const after = stack(pages(3), 2);
    const place = anchorAt(before, offset);
    const moved = offsetOf(after, place);
    expect(anchorAt(after, moved).index).toBe(place.index);
    expect(offsetOf(before, anchorAt(after, moved))).toBeCloseTo(offset);
  },
);

test("lays out hostile page sizes", () => {
  expect(validSize({ width: 0, height: 100 })).toBe(DEFAULT_SIZE);
  expect(validSize({ width: Number.NaN, height: 100 })).toBe(DEFAULT_SIZE);
  expect(validSize({ width: 1, height: 1e9 })).toEqual({ width: 2e7, height: 1e9 });
  expect(validSize(A4)).toEqual(A4);
});

test("gives a canvas the screen's pixels, within the limits of browsers", () => {
  expect(canvasScale(A4, 2)).toBe(2);
  expect(canvasScale(A4, 0.5)).toBe(1);
  const scale = canvasScale({ width: 8000, height: 11000 }, 3);
  expect(8000 * scale * 11000 * scale).toBeLessThanOrEqual(16_777_217);
  expect(canvasScale({ width: 1e7, height: 1e7 }, 1) * 1e7).toBeLessThanOrEqual(8192);
});
