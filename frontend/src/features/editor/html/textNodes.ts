/** Text nodes of an import. */
import { $createLineBreakNode, $createTabNode, $createTextNode, type LexicalNode } from "lexical";
import { cleanText } from "./escape";
import { BLOCK_SELECTOR, SKIPPED } from "./htmlTags";
import { formatTextStyle, PLAIN_STYLE, type TextStyle } from "./textStyle";

interface TextLook {
  readonly format: number;
  readonly style: TextStyle;
}

/** Creates text nodes, with Lexical's nodes for tabs and newlines. */
export function $textNodes(text: string, inline: TextLook): LexicalNode[] {
  return text
    .split(/([\t\n])/)
    .filter((part) => part !== "")
    .map((part) => {
      if (part === "\n") return $createLineBreakNode();
      const node = part === "\t" ? $createTabNode() : $createTextNode(part);
      return node.setFormat(inline.format).setStyle(formatTextStyle(inline.style));
    });
}

/** Reads the text of a code block, which has no formats and links. */
export function $plainLines(element: HTMLElement): LexicalNode[] {
  const text = cleanText(linesOf(element));
  return $textNodes(text, { format: 0, style: PLAIN_STYLE });
}

/** Code of other editors has an element for each line, and buttons that copy it. */
function linesOf(element: HTMLElement): string {
  let text = "";
  const breakLine = () => {
    if (text !== "" && !text.endsWith("\n")) text += "\n";
  };
  const read = (parent: Node) => {
    for (const node of parent.childNodes) {
      if (node instanceof Text) text += node.data;
      else if (node instanceof HTMLBRElement) text += "\n";
      else if (node instanceof HTMLElement && !SKIPPED.has(node.tagName)) {
        const isBlock = node.matches(BLOCK_SELECTOR);
        if (isBlock) breakLine();
        read(node);
        if (isBlock) breakLine();
      }
    }
  };
  read(element);
  return text;
}
