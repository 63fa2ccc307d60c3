/** Typing `# `, `- ` or `**bold**` formats at once. Only marks the document language can hold. */
import {
  BOLD_STAR,
  CODE,
  HEADING,
  INLINE_CODE,
  ITALIC_STAR,
  ORDERED_LIST,
  QUOTE,
  registerMarkdownShortcuts,
  STRIKETHROUGH,
  UNORDERED_LIST,
} from "@lexical/markdown";
import { defineExtension } from "lexical";

/** Turns Markdown marks into formats while typing; nothing is ever stored as Markdown. */
export const MarkdownTypingExtension = defineExtension({
  name: "ideavault/MarkdownTyping",
  register: (editor) =>
    registerMarkdownShortcuts(editor, [
      HEADING,
      QUOTE,
      UNORDERED_LIST,
      ORDERED_LIST,
      CODE,
      INLINE_CODE,
      BOLD_STAR,
      ITALIC_STAR,
      STRIKETHROUGH,
    ]),
});
