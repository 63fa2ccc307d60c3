/**
 * Restores the caret with the focus. A browser that refocuses the text, after a dialog or by Tab,
 * puts the caret at its start; users expect it where they left it.
 */
import {
  $getSelection,
  $setSelection,
  COMMAND_PRIORITY_LOW,
  defineExtension,
  FOCUS_COMMAND,
  type LexicalEditor,
  mergeRegister,
} from "lexical";

/** Restores the selection on focus, unless a pointer has just set another one. */
export const CaretMemoryExtension = defineExtension({
  name: "ideavault/CaretMemory",
  register: registerCaretMemory,
});

function registerCaretMemory(editor: LexicalEditor): () => void {
  let isPointing = false;
  const point = () => {
    isPointing = true;
  };
  const release = () => {
    isPointing = false;
  };
  return mergeRegister(
    editor.registerRootListener((root) => {
      if (root === null) return;
      root.addEventListener("pointerdown", point);
      window.addEventListener("pointerup", release);
      window.addEventListener("pointercancel", release);
      return () => {
        root.removeEventListener("pointerdown", point);
        window.removeEventListener("pointerup", release);
        window.removeEventListener("pointercancel", release);
      };
    }),
    editor.registerCommand(
      FOCUS_COMMAND,
      () => {
        const selection = $getSelection();
        // A new copy counts as changed, so Lexical writes it over the browser's selection.
        if (!isPointing && selection !== null) $setSelection(selection.clone());
        return false;
      },
      COMMAND_PRIORITY_LOW,
    ),
  );
}
