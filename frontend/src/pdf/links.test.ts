import { expect, test } from "vitest";
import { findLinks } from "./links";

/** A page of 100 by 200 units at double size; its origin is below, as in every PDF. */
const page = {
  width: 200,
  height: 400,
  convertToViewportPoint: (x: number, y: number) => [2 * x, 400 - 2 * y],
};
const rect = [10, 150, 60, 190];
const area = { left: 10, top: 5, width: 50, height: 20 };

test("places links to addresses and to places in the document", () => {
  const found = findLinks(
    [
      { subtype: "Link", rect, url: "https://example.org/" },
      { subtype: "Link", rect, dest: "chapter2" },
      { subtype: "Link", rect, dest: [{ num: 3, gen: 0 }, { name: "Fit" }] },
    ],
    page,
  );
  expect(found).toEqual([
    { kind: "address", area, address: "https://example.org/" },
    { kind: "place", area, destination: "chapter2" },
    { kind: "place", area, destination: [{ num: 3, gen: 0 }, { name: "Fit" }] },
  ]);
});

test.each([
  ["a script", { subtype: "Link", rect, url: "javascript:alert(1)" }],
  ["a script action", { subtype: "Link", rect, actions: { Action: ["alert(1)"] } }],
  ["an address that pdf.js refused", { subtype: "Link", rect, unsafeUrl: "https://example.org" }],
  ["a form field", { subtype: "Widget", rect, url: "https://example.org" }],
  ["an attachment", { subtype: "FileAttachment", rect, file: {} }],
  ["a place without numbers", { subtype: "Link", rect: ["a", 1, 2, 3], url: "https://a.example" }],
  ["an area of nothing", { subtype: "Link", rect: [1, 1, 1, 1], url: "https://a.example" }],
  ["nothing", null],
])("drops %s", (_, annotation) => {
  expect(findLinks([annotation], page)).toEqual([]);
});

test("takes a bounded number of links from one page", () => {
  const many = Array.from({ length: 10_000 }, () => ({ subtype: "Link", rect, dest: "x" }));
  expect(findLinks(many, page)).toHaveLength(500);
});
