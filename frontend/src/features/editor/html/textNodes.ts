/** Text nodes of an import. */
import { $createLineBreakNode, $createTabNode, $createTextNode, type LexicalNode } from "lexical";
import { cleanText } from "./escape";
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
  for (const br of element.querySelectorAll("br")) br.replaceWith("\n");
  return $textNodes(cleanText(element.textContent), { format: 0, style: PLAIN_STYLE });
}
