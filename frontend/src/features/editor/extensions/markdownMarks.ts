/** The large part of Markdown typing; loaded when an editor is already in use. */
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
import type { LexicalEditor } from "lexical";

/** Starts converting marks into formats; returns a function that stops it. */
export function registerMarks(editor: LexicalEditor): () => void {
  return registerMarkdownShortcuts(editor, [
    HEADING,
    QUOTE,
    UNORDERED_LIST,
    ORDERED_LIST,
    CODE,
    INLINE_CODE,
    BOLD_STAR,
    ITALIC_STAR,
    STRIKETHROUGH,
  ]);
}
