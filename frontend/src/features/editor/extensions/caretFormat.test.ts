import {
  $getRoot,
  $getSelection,
  $isRangeSelection,
  FORMAT_TEXT_COMMAND,
  type LexicalEditor,
  SELECTION_CHANGE_COMMAND,
} from "lexical";
import { expect, test } from "vitest";
import { CaretFormatExtension } from "./caretFormat";
import { createTestEditor, htmlOf } from "./testEditor";
import { SET_TEXT_COLOR_COMMAND } from "./textColors";

function withCaret(html: string, offset: number): LexicalEditor {
  const editor = createTestEditor(html, "stored", CaretFormatExtension);
  moveTo(editor, offset);
  return editor;
}

function update(editor: LexicalEditor, change: () => void): void {
  editor.update(change, { discrete: true });
}

/** Puts the caret into the first block. */
function moveTo(editor: LexicalEditor, offset: number): void {
  update(editor, () => {
    const text = $getRoot().getAllTextNodes().at(0);
    if (text === undefined) $getRoot().selectStart();
    else text.select(offset, offset);
  });
  report(editor);
}

/** Does what Lexical does when the browser reports a selection, but for the first 200 ms. */
function report(editor: LexicalEditor): void {
  update(editor, () => {
    const selection = $getSelection();
    if (!$isRangeSelection(selection)) throw new Error("no caret");
    selection.setFormat(0);
    selection.setStyle("");
    editor.dispatchCommand(SELECTION_CHANGE_COMMAND);
  });
}

function type(editor: LexicalEditor, text: string): void {
  update(editor, () => $getSelection()?.insertText(text));
}

test.each([
  ["an empty line", "<p></p>", 0, "<p><strong>x</strong></p>"],
  ["the middle of a text", "<p>abcd</p>", 2, "<p>ab<strong>x</strong>cd</p>"],
])("a format chosen at %s survives a late report of the selection", (_, html, offset, typed) => {
  const editor = withCaret(html, offset);
  update(editor, () => editor.dispatchCommand(FORMAT_TEXT_COMMAND, "bold"));
  report(editor);
  report(editor);
  type(editor, "x");
  expect(htmlOf(editor)).toBe(typed);
});

test("so does a colour", () => {
  const editor = withCaret("<p></p>", 0);
  update(editor, () => editor.dispatchCommand(SET_TEXT_COLOR_COMMAND, "#b3261e"));
  report(editor);
  type(editor, "x");
  expect(htmlOf(editor)).toContain("color:#b3261e");
});

test("a format that is chosen and taken back stays off", () => {
  const editor = withCaret("<p></p>", 0);
  for (const _ of [1, 2]) {
    update(editor, () => editor.dispatchCommand(FORMAT_TEXT_COMMAND, "bold"));
    report(editor);
  }
  type(editor, "x");
  expect(htmlOf(editor)).toBe("<p>x</p>");
});

test("the format goes when the caret moves, and when something was typed", () => {
  const editor = withCaret("<p>abcd</p>", 2);
  update(editor, () => editor.dispatchCommand(FORMAT_TEXT_COMMAND, "bold"));
  moveTo(editor, 3);
  moveTo(editor, 2);
  type(editor, "x");
  expect(htmlOf(editor)).toBe("<p>abxcd</p>");
});
