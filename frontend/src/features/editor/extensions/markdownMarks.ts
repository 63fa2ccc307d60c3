/** The large part of Markdown typing; loaded when an editor is already in use. */
import { $createHorizontalRuleNode, HorizontalRuleNode } from "@lexical/extension";
import {
  BOLD_STAR,
  CODE,
  type ElementTransformer,
  HEADING,
  INLINE_CODE,
  ITALIC_STAR,
  ORDERED_LIST,
  QUOTE,
  registerMarkdownShortcuts,
  STRIKETHROUGH,
  UNORDERED_LIST,
} from "@lexical/markdown";
import { $isParagraphNode, type LexicalEditor } from "lexical";

/** Three dashes alone in a paragraph, then Enter or Space: a rule, with the caret below it. */
const RULE: ElementTransformer = {
  dependencies: [HorizontalRuleNode],
  export: () => null,
  regExp: /^---\s?$/,
  // Lexical removes the dashes.
  replace: (block) => {
    const isParagraph = $isParagraphNode(block);
    if (isParagraph) block.insertBefore($createHorizontalRuleNode());
    return isParagraph;
  },
  triggerOnEnter: true,
  type: "element",
};

/** Starts converting marks into formats; returns a function that stops it. */
export function registerMarks(editor: LexicalEditor): () => void {
  return registerMarkdownShortcuts(editor, [
    HEADING,
    QUOTE,
    UNORDERED_LIST,
    ORDERED_LIST,
    RULE,
    CODE,
    INLINE_CODE,
    BOLD_STAR,
    ITALIC_STAR,
    STRIKETHROUGH,
  ]);
}
