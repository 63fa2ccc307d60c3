/**
 * Typing and pasting while a block without text is selected, such as an image: both go to a new
 * line after it. Lexical leaves such typing to the browser, which writes it elsewhere.
 */
import {
  $createParagraphNode,
  $getSelection,
  $isNodeSelection,
  BEFORE_INPUT_COMMAND,
  COMMAND_PRIORITY_LOW,
  COMPOSITION_START_COMMAND,
  defineExtension,
  mergeRegister,
  PASTE_COMMAND,
} from "lexical";

/** Begins a line after the selected block for what is typed or pasted. */
export const SelectedBlockExtension = defineExtension({
  name: "ideavault/SelectedBlock",
  register: (editor) =>
    mergeRegister(
      editor.registerCommand(
        BEFORE_INPUT_COMMAND,
        (event) => {
          // Events that delete, paste or drop have no data.
          const line = event.data && $beginLine();
          if (!line) return false;
          event.preventDefault();
          line.insertText(event.data);
          return true;
        },
        COMMAND_PRIORITY_LOW,
      ),
      editor.registerCommand(COMPOSITION_START_COMMAND, $prepareLine, COMMAND_PRIORITY_LOW),
      editor.registerCommand(PASTE_COMMAND, $prepareLine, COMMAND_PRIORITY_LOW),
    ),
});

/** Leaves the command to the others, with the selection on the new line. */
function $prepareLine(): false {
  $beginLine();
  return false;
}

/** Selects a new paragraph after the last selected block; null when no block is selected. */
function $beginLine() {
  const selection = $getSelection();
  const last = $isNodeSelection(selection) && selection.getNodes().at(-1);
  if (!last) return null;
  const line = $createParagraphNode();
  last.insertAfter(line);
  return line.select();
}
