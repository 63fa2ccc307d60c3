/**
 * Exports the document as the HTML that is stored.
 *
 * Writes strings instead of using Lexical's DOM export: the server hashes the exact bytes of every
 * revision, so nothing here may depend on how a browser serializes its DOM. Every byte written must
 * come back unchanged from `$importHtml` followed by `$exportHtml`.
 */
import { $isCodeNode } from "@lexical/code-core";
import { $isHorizontalRuleNode } from "@lexical/extension";
import { $isLinkNode } from "@lexical/link";
import { $isListItemNode, $isListNode, type ListItemNode, type ListNode } from "@lexical/list";
import { $isHeadingNode, $isQuoteNode } from "@lexical/rich-text";
import { $isTableNode } from "@lexical/table";
import {
  $getRoot,
  $isElementNode,
  $isLineBreakNode,
  $isTextNode,
  type ElementNode,
  IS_HIGHLIGHT,
  type LexicalNode,
  type TextNode,
} from "lexical";
import { cleanText, escapeAttribute, escapeText } from "./escape";
import { wholeNumber } from "./media";
import { $exportTable } from "./tableHtml";
import { FORMAT_TAGS, storableFormat } from "./textFormat";
import { formatTextStyle, parseTextStyle } from "./textStyle";
import { parseLinkUrl } from "./urls";

/** Attributes of every link (docs/rules.md#idea-html). */
export const LINK_ATTRIBUTES = {
  target: "_blank",
  rel: "noopener noreferrer nofollow",
} as const;

/** Implemented by custom blocks, which write their own element. */
export interface HtmlBlock {
  /** Returns the complete element, or an empty string when there is nothing safe to write. */
  $exportHtmlBlock(): string;
}

/** Exports the whole document. Needs a read or update scope. */
export function $exportHtml(): string {
  return $getRoot().getChildren().map($exportBlock).join("");
}

function $exportBlock(node: LexicalNode): string {
  if ($isListNode(node)) return $exportList(node);
  if ($isTableNode(node)) return $exportTable(node, $exportBlock);
  if ($isHorizontalRuleNode(node)) return "<hr>";
  if (isHtmlBlock(node)) return node.$exportHtmlBlock();
  if ($isCodeNode(node)) return $exportCode(node.getLanguage(), node);
  if (!$isElementNode(node)) return "";
  const tag = $blockTag(node);
  return `<${tag}>${$exportInline(node, node.getChildren())}</${tag}>`;
}

function $blockTag(node: ElementNode): string {
  if ($isQuoteNode(node)) return "blockquote";
  if (!$isHeadingNode(node)) return "p";
  const tag = node.getTag();
  return tag === "h1" || tag === "h2" ? tag : "h3";
}

function $exportCode(language: string | null | undefined, node: ElementNode): string {
  const name = codeLanguage(language);
  const open = name === null ? "<pre>" : `<pre data-language="${name}">`;
  const body = node.getTextContent().split("\n").map(escapeText).join("<br>");
  return `${open}${body}${body === "" || body.endsWith("<br>") ? "<br>" : ""}</pre>`;
}

/** Returns the language name if it may be stored, otherwise null. */
export function codeLanguage(name: string | null | undefined): string | null {
  return name && /^[a-z0-9+#-]{1,32}$/.test(name) ? name : null;
}

/**
 * Lexical keeps a nested list in an item of its own. In HTML that item would be counted and read
 * aloud, so the nested list is moved into the item before it.
 */
function $exportList(list: ListNode): string {
  const ordered = list.getListType() === "number";
  const start = wholeNumber(list.getStart()) || 1;
  const open = ordered ? (start === 1 ? "<ol>" : `<ol start="${start}">`) : "<ul>";
  const items: string[] = [];
  for (const item of list.getChildren()) {
    if (!$isListItemNode(item)) continue;
    const [text, nested] = $exportItem(item);
    const previous = items.at(-1);
    if (text === null && previous !== undefined) items[items.length - 1] = previous + nested;
    else items.push((text ?? "") + nested);
  }
  if (items.length === 0) return "";
  return `${open}${items.map((item) => `<li>${item}</li>`).join("")}</${ordered ? "ol" : "ul"}>`;
}

/** Returns an item's own text (null when it only contains nested lists) and its nested lists. */
function $exportItem(item: ListItemNode): [string | null, string] {
  const children = item.getChildren();
  const lists = children.filter($isListNode);
  const inline = children.filter((child) => !$isListNode(child));
  const text = lists.length > 0 && inline.length === 0 ? null : $exportInline(item, inline);
  return [text, lists.map($exportList).join("")];
}

function $exportInline(block: ElementNode, children: LexicalNode[]): string {
  const body = $exportRuns(children);
  // A browser does not draw a line break at the end of a block; a second one makes it visible.
  const last = children.at(-1);
  const end = $isElementNode(last) ? last.getLastDescendant() : last;
  const needsFiller = body === "" || block.isEmpty() || $isLineBreakNode(end);
  return needsFiller ? `${body}<br>` : body;
}

interface Run {
  readonly text: string;
  readonly format: number;
  readonly style: string;
}

/** Merges neighbouring texts of equal format into one element, however Lexical split them. */
function $exportRuns(children: LexicalNode[]): string {
  const pieces: (Run | string)[] = [];
  for (const child of children) {
    if ($isTextNode(child)) {
      const run = $readRun(child);
      const last = pieces.at(-1);
      if (typeof last === "object" && last.format === run.format && last.style === run.style) {
        pieces[pieces.length - 1] = { ...run, text: last.text + run.text };
      } else pieces.push(run);
    } else if ($isLineBreakNode(child)) pieces.push("<br>");
    else if ($isLinkNode(child)) pieces.push($exportLink(child.getURL(), child));
    else if ($isElementNode(child)) pieces.push($exportRuns(child.getChildren()));
  }
  return pieces.map((piece) => (typeof piece === "string" ? piece : exportRun(piece))).join("");
}

function $readRun(node: TextNode): Run {
  const style = parseTextStyle(node.getStyle());
  const highlight = style.background === undefined ? 0 : IS_HIGHLIGHT;
  return {
    text: cleanText(node.getTextContent()),
    format: storableFormat(node.getFormat()) | highlight,
    style: formatTextStyle(style),
  };
}

function $exportLink(address: string, link: ElementNode): string {
  const body = $exportRuns(link.getChildren());
  const url = parseLinkUrl(address);
  if (url === null || body === "") return body;
  const { target, rel } = LINK_ATTRIBUTES;
  return `<a href="${escapeAttribute(url)}" target="${target}" rel="${rel}">${body}</a>`;
}

function exportRun({ text, format, style }: Run): string {
  if (text === "") return "";
  let html = text.split("\n").map(escapeText).join("<br>");
  for (const [bit, tag] of FORMAT_TAGS.toReversed()) {
    if (format & bit) html = `<${tag}>${html}</${tag}>`;
  }
  const attribute = style === "" ? "" : ` style="${style}"`;
  if (format & IS_HIGHLIGHT) return `<mark${attribute}>${html}</mark>`;
  return style === "" ? html : `<span${attribute}>${html}</span>`;
}

function isHtmlBlock(node: LexicalNode): node is LexicalNode & HtmlBlock {
  return "$exportHtmlBlock" in node && typeof node.$exportHtmlBlock === "function";
}
