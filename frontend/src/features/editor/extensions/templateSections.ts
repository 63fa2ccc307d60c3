/** Sections of the template that are still empty: a heading with nothing but empty lines below it. */
import { $isHeadingNode, type HeadingNode } from "@lexical/rich-text";
import {
  $createParagraphNode,
  $getRoot,
  $isParagraphNode,
  type LexicalEditor,
  type LexicalNode,
} from "lexical";
import { TEMPLATE_PLACEHOLDERS } from "../template";

export interface TemplateSections {
  countEmpty(): number;
  removeEmpty(): void;
}

export const templateSections = (editor: LexicalEditor): TemplateSections => ({
  countEmpty: () => editor.read(() => $emptySections().length),
  removeEmpty: () => {
    const remove = () => {
      for (const node of $emptySections().flat()) node.remove();
      if ($getRoot().isEmpty()) $getRoot().append($createParagraphNode());
    };
    // Publishing follows at once, and reads the text.
    editor.update(remove, { discrete: true });
  },
});

/** Returns the nodes of each section. */
function $emptySections(): LexicalNode[][] {
  return $getRoot()
    .getChildren()
    .filter($isHeadingNode)
    .filter((heading) => TEMPLATE_PLACEHOLDERS.has(heading.getTextContent().trim()))
    .flatMap((heading) => {
      const lines = $emptyLinesBelow(heading);
      const next = (lines.at(-1) ?? heading).getNextSibling();
      // A heading of a lower level belongs to the section.
      const isOver = next === null || ($isHeadingNode(next) && next.getTag() <= heading.getTag());
      return isOver ? [[heading, ...lines]] : [];
    });
}

function $emptyLinesBelow(heading: HeadingNode): LexicalNode[] {
  const siblings = heading.getNextSiblings();
  const end = siblings.findIndex((line) => !$isParagraphNode(line) || !line.isEmpty());
  return end < 0 ? siblings : siblings.slice(0, end);
}
