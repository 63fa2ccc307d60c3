/** Text colour and highlighter. Colours are in the style of a text, the mark in its format. */
import { $patchStyleText } from "@lexical/selection";
import { $isTableSelection } from "@lexical/table";
import {
  $getSelection,
  $isRangeSelection,
  $isTextNode,
  COMMAND_PRIORITY_EDITOR,
  createCommand,
  defineExtension,
  IS_HIGHLIGHT,
  type LexicalCommand,
  mergeRegister,
} from "lexical";

/** Sets the colour of the selected text; null resets it. */
export const SET_TEXT_COLOR_COMMAND: LexicalCommand<string | null> =
  createCommand("SET_TEXT_COLOR");

/** Highlights the selected text; null removes the highlight. */
export const SET_HIGHLIGHT_COMMAND: LexicalCommand<string | null> = createCommand("SET_HIGHLIGHT");

/** Handles both colour commands. */
export const TextColorsExtension = defineExtension({
  name: "ideavault/TextColors",
  register: (editor) =>
    mergeRegister(
      editor.registerCommand(
        SET_TEXT_COLOR_COMMAND,
        (color) => $patchSelection("color", color),
        COMMAND_PRIORITY_EDITOR,
      ),
      editor.registerCommand(SET_HIGHLIGHT_COMMAND, $setHighlight, COMMAND_PRIORITY_EDITOR),
    ),
});

function $patchSelection(property: string, value: string | null): boolean {
  const selection = $getSelection();
  if (selection === null) return false;
  $patchStyleText(selection, { [property]: value });
  return true;
}

function $setHighlight(color: string | null): boolean {
  $patchSelection("background-color", color);
  const selection = $getSelection();
  // The format becomes <mark>. With a colour, it is added on its own.
  if (color === null && $isTableSelection(selection)) {
    for (const node of selection.getNodes()) {
      if ($isTextNode(node)) node.setFormat(node.getFormat() & ~IS_HIGHLIGHT);
    }
  }
  if (!$isRangeSelection(selection)) return $isTableSelection(selection);
  // Toggling a mixed selection only ever adds it, so the whole text gets it first and then, to
  // clear, loses it.
  if (!selection.hasFormat("highlight")) selection.formatText("highlight");
  if (color === null) selection.formatText("highlight");
  return true;
}
