import {
  $createNodeSelection,
  $getRoot,
  $getSelection,
  $setSelection,
  BEFORE_INPUT_COMMAND,
  COMMAND_PRIORITY_LOW,
  type LexicalEditor,
  PASTE_COMMAND,
} from "lexical";
import { expect, test } from "vitest";
import { createTestEditor, htmlOf } from "./testEditor";

const image = '<img src="/api/files/0190f5fe-7c00-7a00-8000-000000000001" alt="A lock">';

/** Creates an editor in which the second block is selected. */
function withSelectedBlock(html: string): LexicalEditor {
  const editor = createTestEditor(html);
  editor.update(
    () => {
      const selection = $createNodeSelection();
      const block = $getRoot().getChildAtIndex(1);
      if (block) selection.add(block.getKey());
      $setSelection(selection);
    },
    { discrete: true },
  );
  return editor;
}

function type(editor: LexicalEditor, data: string | null, inputType = "insertText"): InputEvent {
  const event = new InputEvent("beforeinput", { inputType, data, cancelable: true });
  editor.update(() => void editor.dispatchCommand(BEFORE_INPUT_COMMAND, event), { discrete: true });
  return event;
}

test.each([
  ["an image", image],
  ["a rule", "<hr>"],
])("what is typed while %s is selected begins a line after it", (_, block) => {
  const editor = withSelectedBlock(`<p>Before</p>${block}<p>After</p>`);
  const stored = htmlOf(editor);
  expect(type(editor, "a").defaultPrevented).toBe(true);
  expect(htmlOf(editor)).toBe(stored.replace("<p>After", "<p>a</p><p>After"));
});

test("a paste while an image is selected goes to a line after it", () => {
  const editor = withSelectedBlock(`<p>Before</p>${image}`);
  const stored = htmlOf(editor);
  editor.registerCommand(
    PASTE_COMMAND,
    () => {
      $getSelection()?.insertText("Pasted");
      return true;
    },
    COMMAND_PRIORITY_LOW,
  );
  const paste = new Event("paste") as ClipboardEvent;
  editor.update(() => void editor.dispatchCommand(PASTE_COMMAND, paste), { discrete: true });
  expect(htmlOf(editor)).toBe(`${stored}<p>Pasted</p>`);
});

test("deleting is left to the block", () => {
  const editor = withSelectedBlock(`<p>Before</p>${image}`);
  expect(type(editor, null, "deleteContentBackward").defaultPrevented).toBe(false);
});
