/** Keyboard shortcuts besides those of Lexical (bold, italic, undo and redo). */
import { KeyboardShortcutsExtension } from "@lexical/extension";
import { $isListItemNode } from "@lexical/list";
import {
  $findMatchingParent,
  $getSelection,
  $isRangeSelection,
  COMMAND_PRIORITY_LOW,
  CONTROL_OR_META,
  configExtension,
  createCommand,
  defineExtension,
  FORMAT_TEXT_COMMAND,
  INDENT_CONTENT_COMMAND,
  KEY_ESCAPE_COMMAND,
  KEY_TAB_COMMAND,
  type KeyboardShortcut,
  type LexicalCommand,
  type LexicalEditor,
  mergeRegister,
  OUTDENT_CONTENT_COMMAND,
} from "lexical";
import { HIGHLIGHT_COLORS } from "../colors";
import { type BlockKind, TOGGLE_BLOCK_COMMAND } from "./blocks";
import { readFormatting } from "./formattingState";
import { SET_HIGHLIGHT_COMMAND } from "./textColors";

/** Requests the link dialog, which only the page can show. */
export const REQUEST_LINK_COMMAND: LexicalCommand<void> = createCommand("REQUEST_LINK");

const SHIFT = { ...CONTROL_OR_META, shiftKey: true };
const ALT = { ...CONTROL_OR_META, altKey: true };
const SHORTCUT: LexicalCommand<KeyboardEvent> = createCommand("SHORTCUT");
const MAX_LIST_DEPTH = 8;

/** Adds the shortcuts, and Tab in lists. */
export const ShortcutsExtension = defineExtension({
  name: "ideavault/Shortcuts",
  dependencies: [
    configExtension(KeyboardShortcutsExtension, {
      shortcuts: {
        strikethrough: bind("x", SHIFT, (editor) =>
          editor.dispatchCommand(FORMAT_TEXT_COMMAND, "strikethrough"),
        ),
        code: bind("e", CONTROL_OR_META, (editor) =>
          editor.dispatchCommand(FORMAT_TEXT_COMMAND, "code"),
        ),
        subscript: bind(",", CONTROL_OR_META, (editor) =>
          editor.dispatchCommand(FORMAT_TEXT_COMMAND, "subscript"),
        ),
        superscript: bind(".", CONTROL_OR_META, (editor) =>
          editor.dispatchCommand(FORMAT_TEXT_COMMAND, "superscript"),
        ),
        highlight: bind("h", SHIFT, toggleHighlight),
        link: bind("k", CONTROL_OR_META, (editor) => editor.dispatchCommand(REQUEST_LINK_COMMAND)),
        paragraph: block("0", ALT, "paragraph"),
        heading1: block("1", ALT, "h1"),
        heading2: block("2", ALT, "h2"),
        heading3: block("3", ALT, "h3"),
        // With Shift, `key` is the upper symbol on most layouts.
        number: [block("7", SHIFT, "number"), block("&", SHIFT, "number")],
        bullet: [block("8", SHIFT, "bullet"), block("*", SHIFT, "bullet")],
        quote: [block("9", SHIFT, "quote"), block("(", SHIFT, "quote")],
      },
    }),
  ],
  register: registerListTab,
});

function bind(
  key: string,
  modifiers: KeyboardShortcut["modifiers"],
  run: (editor: LexicalEditor) => boolean,
): KeyboardShortcut {
  return {
    key,
    ...(modifiers === undefined ? {} : { modifiers }),
    command: SHORTCUT,
    $dispatch: (_command, event, _$next, editor) => {
      event.preventDefault();
      return run(editor);
    },
  };
}

function block(
  key: string,
  modifiers: KeyboardShortcut["modifiers"],
  kind: BlockKind,
): KeyboardShortcut {
  return bind(key, modifiers, (editor) => editor.dispatchCommand(TOGGLE_BLOCK_COMMAND, kind));
}

function toggleHighlight(editor: LexicalEditor): boolean {
  const color = readFormatting(editor).highlight === null ? HIGHLIGHT_COLORS[0]?.value : null;
  return editor.dispatchCommand(SET_HIGHLIGHT_COMMAND, color ?? null);
}

/**
 * Tab changes the depth of list items and leaves the editor everywhere else. After Escape it leaves
 * from a list too, so that keyboard users are not trapped.
 */
function registerListTab(editor: LexicalEditor): () => void {
  let leaves = false;
  return mergeRegister(
    editor.registerCommand(
      KEY_ESCAPE_COMMAND,
      () => {
        leaves = true;
        return false;
      },
      COMMAND_PRIORITY_LOW,
    ),
    editor.registerUpdateListener(({ dirtyLeaves, dirtyElements }) => {
      if (dirtyLeaves.size > 0 || dirtyElements.size > 0) leaves = false;
    }),
    editor.registerCommand(
      KEY_TAB_COMMAND,
      (event) => {
        const depth = leaves ? undefined : $listDepth();
        if (depth === undefined || (event.shiftKey && depth === 0)) return false;
        event.preventDefault();
        if (event.shiftKey) return editor.dispatchCommand(OUTDENT_CONTENT_COMMAND);
        return depth >= MAX_LIST_DEPTH || editor.dispatchCommand(INDENT_CONTENT_COMMAND);
      },
      COMMAND_PRIORITY_LOW,
    ),
  );
}

function $listDepth(): number | undefined {
  const selection = $getSelection();
  if (!$isRangeSelection(selection)) return undefined;
  return $findMatchingParent(selection.anchor.getNode(), $isListItemNode)?.getIndent();
}
