/** Typing `# `, `- ` or `**bold**` formats at once. Only marks the document language can hold. */
import { defineExtension, type LexicalEditor } from "lexical";

/** Turns Markdown marks into formats while typing; nothing is ever stored as Markdown. */
export const MarkdownTypingExtension = defineExtension({
  name: "ideavault/MarkdownTyping",
  register: (editor) => registerWhenLoaded(editor),
});

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
