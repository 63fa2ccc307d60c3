/** The part of Markdown typing that weighs something; fetched when an editor is already in use. */
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

/** Starts turning marks into formats; returns the way to stop. */
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
