import { $isTableCellNode, $isTableNode } from "@lexical/table";
import { $getRoot, type LexicalEditor } from "lexical";
import { describe, expect, it } from "vitest";
import type { TableEdit } from "./tableEdits";
import { EDIT_TABLE_COMMAND } from "./tables";
import { createTestEditor, htmlOf } from "./testEditor";

const table = (...rows: string[]) => `<table><tbody>${rows.join("")}</tbody></table>`;
const row = (...cells: string[]) =>
  `<tr>${cells.map((c) => `<td>${c || "<p><br></p>"}</td>`).join("")}</tr>`;
const header = (...cells: string[]) => row(...cells).replaceAll("td>", "th>");
const [a, b, c, d] = ["<p>a</p>", "<p>b</p>", "<p>c</p>", "<p>d</p>"];

/** Puts the caret into the first block, or into the cell with that index. */
function enter(editor: LexicalEditor, cellIndex = 0): void {
  editor.update(
    () => {
      const [first] = $getRoot().getChildren();
      const cells = $isTableNode(first)
        ? first.getAllTextNodes().map((text) => text.getParents().find($isTableCellNode))
        : [];
      (cells[cellIndex] ?? $getRoot().getFirstChildOrThrow()).selectStart();
    },
    { discrete: true },
  );
}

function edit(editor: LexicalEditor, change: TableEdit): void {
  editor.update(() => void editor.dispatchCommand(EDIT_TABLE_COMMAND, change), { discrete: true });
}

function edited(change: TableEdit, source: string, cellIndex = 0): string {
  const editor = createTestEditor(source);
  enter(editor, cellIndex);
  edit(editor, change);
  return htmlOf(editor);
}

describe("a table", () => {
  it("is inserted with a header row at the caret", () => {
    const empty = ["", "", ""];
    expect(edited("insert", "<p>x</p>")).toContain(
      table(header(...empty), row(...empty), row(...empty)),
    );
  });

  it("is not inserted into another one", () => {
    const source = table(row(a, b));
    expect(edited("insert", source)).toBe(source);
  });

  it.each<[TableEdit, string]>([
    ["rowAbove", table(row("", ""), row(a, b), row(c, d))],
    ["rowBelow", table(row(a, b), row("", ""), row(c, d))],
    ["columnLeft", table(row("", a, b), row("", c, d))],
    ["columnRight", table(row(a, "", b), row(c, "", d))],
    ["headerRow", table(header(a, b), row(c, d))],
    ["deleteRow", table(row(c, d))],
    ["deleteColumn", table(row(b), row(d))],
    ["deleteTable", "<p>z</p>"],
  ])("is changed by %s", (change, expected) => {
    const source = `${table(row(a, b), row(c, d))}<p>z</p>`;
    expect(edited(change, source)).toBe(
      expected.endsWith("<p>z</p>") ? expected : `${expected}<p>z</p>`,
    );
  });

  it("is removed with its last row or column, and leaves an empty line", () => {
    expect(edited("deleteRow", table(row(a, b)))).toBe("<p><br></p>");
    expect(edited("deleteColumn", table(row(a), row(b)))).toBe("<p><br></p>");
    expect(edited("deleteTable", table(row(a), row(b)))).toBe("<p><br></p>");
  });

  it("splits a merged cell", () => {
    const merged =
      '<table><tbody><tr><td colspan="2"><p>a</p></td></tr><tr><td><p>c</p></td><td><p>d</p></td></tr></tbody></table>';
    expect(edited("splitCell", merged)).toBe(table(row(a, ""), row(c, d)));
  });

  it("is not changed by a command outside of it", () => {
    const source = `<p>x</p>${table(row(a))}`;
    expect(edited("deleteRow", source)).toBe(source);
  });

  it("keeps no layout of its own", () => {
    const editor = createTestEditor(table(row(a, b)));
    editor.update(
      () => {
        const node = $getRoot().getFirstChild();
        if (!$isTableNode(node)) throw new Error("no table");
        node.setColWidths([10, 20]).setRowStriping(true);
        node
          .getAllTextNodes()[0]
          ?.getParents()
          .find($isTableCellNode)
          ?.setBackgroundColor("red")
          .setWidth(9);
      },
      { discrete: true },
    );
    const json = JSON.stringify(editor.getEditorState());
    expect(json).not.toMatch(/"(?:colWidths|rowStriping|backgroundColor|width)":(?!null)/);
  });
});
