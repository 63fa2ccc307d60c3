import type { Shape } from "./shapes";

/** Bounding box of all shapes with a margin: the view box of the drawing. */
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

type Point = readonly [x: number, y: number];

const MARGIN = 24;
const EMPTY: Box = { x: 0, y: 0, width: 640, height: 360 };
/**
 * Mean width of a character in an unknown font, in font sizes; generous, so that nothing is cut
 * off.
 */
const CHARACTER_WIDTH = 0.62;
/** Distance between baselines, in font sizes. */
export const LINE_HEIGHT = 1.2;

/** Computes the bounding box of all shapes, rotated ones included. */
export function boundingBox(shapes: readonly Shape[]): Box {
  const points = shapes.flatMap(corners);
  if (points.length === 0) return EMPTY;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  }
  return {
    x: left - MARGIN,
    y: top - MARGIN,
    width: right - left + 2 * MARGIN,
    height: bottom - top + 2 * MARGIN,
  };
}

/** Splits a text into lines; a width wraps it at words, by estimate. */
export function textLines({ text, width, fontSize }: Shape): string[] {
  const perLine = width > 0 ? Math.max(1, Math.floor(width / (fontSize * CHARACTER_WIDTH))) : null;
  return text.split("\n").flatMap((line) => (perLine ? wrap(line, perLine) : [line]));
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

function corners(shape: Shape): Point[] {
  const { x, y, rotation, strokeWidth } = shape;
  const half = strokeWidth / 2;
  const [left, top, right, bottom] = extent(shape);
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

type Extent = readonly [left: number, top: number, right: number, bottom: number];

/**
 * Computes the extent relative to the shape's position: a circle's is its centre, all others' the
 * top left corner.
 */
function extent(shape: Shape): Extent {
  const { type, radius, width, height, fontSize } = shape;
  if (type === "circle") return [-radius, -radius, radius, radius];
  if (type === "rect") return [0, 0, width, height];
  const lines = textLines(shape);
  const longest = lines.reduce((most, line) => Math.max(most, line.length), 0);
  return [
    0,
    0,
    Math.max(width, longest * fontSize * CHARACTER_WIDTH),
    Math.max(height, lines.length * fontSize * LINE_HEIGHT),
  ];
}
