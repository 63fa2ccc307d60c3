import type { CanvasElement } from "@/api/generated";

/** The rectangle that holds every element, with a margin: what the drawing shows. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

type Point = readonly [x: number, y: number];

const MARGIN = 24;
const EMPTY: Box = { x: 0, y: 0, width: 640, height: 360 };
/** The mean width of a character in an unknown font; generous, so that nothing is cut off. */
const CHARACTER_WIDTH = 0.62;
export const LINE_HEIGHT = 1.2;
export const DEFAULT_FONT_SIZE = 16;

/** Elements that are too broken to draw, such as one without a finite position, are left out. */
export function drawable(elements: readonly CanvasElement[]): CanvasElement[] {
  return elements.filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));
}

/** Finds the box of all elements, turned ones included. */
export function boundingBox(elements: readonly CanvasElement[]): Box {
  const points = elements.flatMap(corners);
  if (points.length === 0) return EMPTY;
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return {
    x: left - MARGIN,
    y: top - MARGIN,
    width: Math.max(...xs) - left + 2 * MARGIN,
    height: Math.max(...ys) - top + 2 * MARGIN,
  };
}

/** The lines of a text element; a width wraps it at words, by estimate. */
export function textLines({ text = "", width, fontSize = DEFAULT_FONT_SIZE }: CanvasElement) {
  const perLine = width ? Math.max(1, Math.floor(width / (fontSize * CHARACTER_WIDTH))) : Infinity;
  return text.split("\n").flatMap((line) => wrap(line, perLine));
}

function wrap(line: string, perLine: number): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (current !== "" && longer.length > perLine) {
      lines.push(current);
      current = word;
    } else {
      current = longer;
    }
  }
  return [...lines, current];
}

function corners(element: CanvasElement): Point[] {
  const { x, y, rotation = 0, strokeWidth = 0 } = element;
  const half = strokeWidth / 2;
  const [left, top, right, bottom] = extent(element);
  const angle = (rotation * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const turned = ([dx, dy]: Point): Point => [x + dx * cos - dy * sin, y + dx * sin + dy * cos];
  return (
    [
      [left - half, top - half],
      [right + half, top - half],
      [left - half, bottom + half],
      [right + half, bottom + half],
    ] as const
  ).map(turned);
}

/** Relative to the element's position: a circle's is its centre, all others' the top left corner. */
function extent(
  element: CanvasElement,
): [left: number, top: number, right: number, bottom: number] {
  const { type, radius = 0, width = 0, height = 0, fontSize = DEFAULT_FONT_SIZE } = element;
  if (type === "circle") return [-radius, -radius, radius, radius];
  if (type === "rect") return [0, 0, width, height];
  const lines = textLines(element);
  const longest = Math.max(...lines.map((line) => line.length));
  return [
    0,
    0,
    Math.max(width, longest * fontSize * CHARACTER_WIDTH),
    Math.max(height, lines.length * fontSize * LINE_HEIGHT),
  ];
}
