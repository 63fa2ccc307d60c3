import { expect, test } from "vitest";
import { compare, plainText } from "./compare";

test("a text has a line for each block, and nothing that is only markup", () => {
  const html =
    '<h2>Kettle</h2><p>It <strong>waits</strong>.<br>Twice.</p><ul><li>One</li></ul><p><img src="/api/files/x" alt="Plan"></p>';
  expect(plainText(html)).toBe("Kettle\nIt waits.\nTwice.\n• One\n[Image: Plan]");
});

test("the items of lists have lines and marks of their own, in lists within lists too", () => {
  const html =
    "<ol><li>One<ul><li>Two</li><li>Three</li></ul></li><li><p>Four</p></li></ol><p>Five</p>";
  expect(plainText(html).split("\n")).toEqual(["1. One", "• Two", "• Three", "2. Four", "Five"]);
});

test("of a PDF the name is compared, of another object its JSON", () => {
  expect(plainText({ type: "pdf", fileName: "plan.pdf", pdfPath: "/api/files/x" })).toBe(
    "plan.pdf",
  );
  expect(plainText({ a: 1 })).toBe('{\n  "a": 1\n}');
});

test("says which words were removed and which were added", () => {
  const pieces = compare("A kettle that waits", "A boiler that waits long");
  const of = (kind: string) =>
    pieces?.filter((piece) => piece.kind === kind).map(({ text }) => text.trim());
  expect(of("removed")).toEqual(["kettle"]);
  expect(of("added")).toEqual(["boiler", "long"]);
});

test("the cells of a row share a line", () => {
  const html =
    "<table><tbody><tr><th><p>Lock</p></th><th>Weight</th></tr><tr><td><p>U</p></td></tr></tbody></table>";
  expect(plainText(html)).toBe("Lock Weight \nU");
});

test("compares words only within lines that resemble each other", () => {
  const pieces = compare(
    "One bike in five is stolen\nLocks are heavy\nEnd",
    "New line\nOne bike in six is stolen\nFolds into the frame\nEnd",
  );
  expect(pieces?.map(({ kind, text }) => [kind, text])).toEqual([
    ["added", "New line\n"],
    ["same", "One bike in "],
    ["removed", "five"],
    ["added", "six"],
    ["same", " is stolen\n"],
    ["removed", "Locks are heavy\n"],
    ["added", "Folds into the frame\n"],
    ["same", "End\n"],
  ]);
});
