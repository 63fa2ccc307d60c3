/**
 * Keeps the format that is chosen at a caret for the text that is typed next. Lexical drops it when
 * the browser reports the unchanged selection more than 200 ms later, as slow devices do.
 */
import {
  $getSelection,
  $isRangeSelection,
  $onUpdate,
  COMMAND_PRIORITY_HIGH,
  COMMAND_PRIORITY_LOW,
  defineExtension,
  FORMAT_TEXT_COMMAND,
  type LexicalEditor,
  mergeRegister,
  type RangeSelection,
  SELECTION_CHANGE_COMMAND,
} from "lexical";
import { SET_HIGHLIGHT_COMMAND, SET_TEXT_COLOR_COMMAND } from "./textColors";

/** Keeps formats and colours chosen at a caret until it moves or something is typed. */
export const CaretFormatExtension = defineExtension({
  name: "ideavault/CaretFormat",
  register: registerCaretFormat,
});

function registerCaretFormat(editor: LexicalEditor): () => void {
  let chosen: RangeSelection | null = null;
  const remember = () => {
    // After the command, whatever it made of the format.
    $onUpdate(() => {
      chosen = editor.read($caret);
    });
    return false;
  };
  return mergeRegister(
    editor.registerCommand(FORMAT_TEXT_COMMAND, remember, COMMAND_PRIORITY_HIGH),
    editor.registerCommand(SET_TEXT_COLOR_COMMAND, remember, COMMAND_PRIORITY_HIGH),
    editor.registerCommand(SET_HIGHLIGHT_COMMAND, remember, COMMAND_PRIORITY_HIGH),
    editor.registerCommand(
      SELECTION_CHANGE_COMMAND,
      () => {
        const caret = $caret();
        if (chosen !== null && caret?.anchor.is(chosen.anchor)) {
          caret.setFormat(chosen.format);
          caret.setStyle(chosen.style);
        } else {
          chosen = null;
        }
        return false;
      },
      COMMAND_PRIORITY_LOW,
    ),
    editor.registerUpdateListener(({ dirtyLeaves }) => {
      if (dirtyLeaves.size > 0) chosen = null;
    }),
  );
}

function $caret(): RangeSelection | null {
  const selection = $getSelection();
  return $isRangeSelection(selection) && selection.isCollapsed() ? selection : null;
}
