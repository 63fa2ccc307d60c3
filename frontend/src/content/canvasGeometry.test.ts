import { expect, test } from "vitest";
import { boundingBox, textLines } from "./canvasGeometry";
import { readShapes } from "./shapes";

const boxOf = (...elements: object[]) => boundingBox(readShapes(elements));
const linesOf = (element: object) =>
  readShapes([{ type: "text", x: 0, y: 0, ...element }]).flatMap(textLines);

test("positions circles by their centre and others by their corner", () => {
  const box = boxOf(
    { type: "rect", x: 0, y: 0, width: 100, height: 50 },
    { type: "circle", x: 200, y: 100, radius: 50 },
  );
  expect(box).toEqual({ x: -24, y: -24, width: 298, height: 198 });
});

test("contains rotated elements", () => {
  const box = boxOf({ type: "rect", x: 0, y: 0, width: 100, height: 50, rotation: 90 });
  expect(box.x).toBeCloseTo(-74);
  expect(box.height).toBeCloseTo(148);
});

test("contains any number of elements and lines", () => {
  const rect = { type: "rect", x: 0, y: 0, width: 100, height: 50 };
  const text = { type: "text", x: 0, y: 0, text: "\n".repeat(200_000) };
  expect(boxOf(...Array.from({ length: 50_000 }, () => rect)).width).toBe(148);
  expect(boxOf(text).height).toBeGreaterThan(200_000);
});

test("has a size even when nothing is drawn", () => {
  expect(boxOf().width).toBeGreaterThan(0);
});

test("leaves out what has no position or no known type", () => {
  expect(
    readShapes([{ type: "rect", x: Number.NaN, y: 0 }, { type: "image", x: 0, y: 0 }, {}]),
  ).toEqual([]);
});

test("rejects a size below zero, null, and a reference as a colour", () => {
  const [shape] = readShapes([
    { type: "rect", x: 0, y: 0, width: -5, rotation: null, fill: "url(#x)", stroke: "#ff0000" },
  ]);
  expect(shape).toMatchObject({
    width: 0,
    rotation: 0,
    fill: null,
    stroke: "#ff0000",
    strokeWidth: 1,
  });
});

test("breaks text at line ends and, given a width, between words", () => {
  expect(linesOf({ text: "a\nb" })).toEqual(["a", "b"]);
  expect(linesOf({ text: "one two three", width: 80 })).toEqual(["one two", "three"]);
});
