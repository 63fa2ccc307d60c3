import {
  $getRoot,
  $getSelection,
  $isRangeSelection,
  KEY_ENTER_COMMAND,
  type LexicalEditor,
  UNDO_COMMAND,
} from "lexical";
import { expect, test } from "vitest";
import { registerMarks } from "./markdownMarks";
import { createTestEditor, htmlOf } from "./testEditor";

/** Types at the caret. */
const type = (editor: LexicalEditor, text: string) =>
  editor.update(
    () => {
      const selection = $getSelection();
      if ($isRangeSelection(selection)) selection.insertText(text);
    },
    { discrete: true },
  );

/** Creates an editor with the caret at its end. */
function editing(html: string): LexicalEditor {
  const editor = createTestEditor(html);
  registerMarks(editor);
  editor.update(() => void $getRoot().selectEnd(), { discrete: true });
  return editor;
}

const enter = (editor: LexicalEditor) =>
  editor.update(() => void editor.dispatchCommand(KEY_ENTER_COMMAND, null), { discrete: true });

test("three dashes and Enter become a rule with the caret below it, and come back by Undo", () => {
  const editor = editing("<p>a</p><p>---</p>");
  enter(editor);
  type(editor, "b");
  expect(htmlOf(editor)).toBe("<p>a</p><hr><p>b</p>");
  editor.dispatchCommand(UNDO_COMMAND);
  editor.dispatchCommand(UNDO_COMMAND);
  expect(htmlOf(editor)).toBe("<p>a</p><p>---</p>");
});

test("three dashes and Space become a rule", async () => {
  const editor = editing("<p>---</p>");
  type(editor, " ");
  await expect.poll(() => htmlOf(editor)).toBe("<hr><p><br></p>");
});

test.each(["<p>----</p>", "<p>a ---</p>", "<h2>---</h2>"])("no rule is made of %s", (html) => {
  const editor = editing(html);
  enter(editor);
  expect(htmlOf(editor)).not.toContain("<hr>");
});
