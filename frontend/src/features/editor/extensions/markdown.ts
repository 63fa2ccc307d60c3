/** Typing `# `, `- ` or `**bold**` formats at once. Only marks the document language can hold. */
import { COMMAND_PRIORITY_LOW, defineExtension, FOCUS_COMMAND, type LexicalEditor } from "lexical";

/** Turns Markdown marks into formats while typing; nothing is ever stored as Markdown. */
export const MarkdownTypingExtension = defineExtension({
  name: "ideavault/MarkdownTyping",
  register: (editor) => registerWhenUsed(editor),
});

/** Nobody types before the editor has focus, so until then the code for it is not needed. */
function registerWhenUsed(editor: LexicalEditor): () => void {
  let stop = editor.registerCommand(
    FOCUS_COMMAND,
    () => {
      stop();
      stop = registerWhenLoaded(editor);
      return false;
    },
    COMMAND_PRIORITY_LOW,
  );
  return () => stop();
}

function registerWhenLoaded(editor: LexicalEditor): () => void {
  let unregister: (() => void) | undefined;
  let isGone = false;
  import("./markdownMarks").then(
    ({ registerMarks }) => {
      if (!isGone) unregister = registerMarks(editor);
    },
    // A comfort, not a need: without it the marks simply stay as typed.
    () => undefined,
  );
  return () => {
    isGone = true;
    unregister?.();
  };
}
