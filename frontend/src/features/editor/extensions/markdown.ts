/**
 * Markdown typing: `# `, `- ` or `**bold**` formats at once. Only marks that the document language
 * can hold.
 */
import { COMMAND_PRIORITY_LOW, defineExtension, FOCUS_COMMAND, type LexicalEditor } from "lexical";

/** Converts Markdown marks into formats while typing; nothing is ever stored as Markdown. */
export const MarkdownTypingExtension = defineExtension({
  name: "ideavault/MarkdownTyping",
  register: (editor) => registerWhenUsed(editor),
});

/** Loads the code at the first focus, since nobody types before. */
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
    // Optional: without it the marks simply stay as typed.
    () => undefined,
  );
  return () => {
    isGone = true;
    unregister?.();
  };
}
