/**
 * Imports HTML as document nodes: the exact inverse of `$exportHtml` for stored documents, and a
 * strict filter for everything from paste or drop.
 *
 * The result is built from document nodes only; an element or attribute without a meaning in the
 * document language is never created, so nothing has to be removed afterwards.
 */
import { $createCodeNode } from "@lexical/code-core";
import { $createHorizontalRuleNode } from "@lexical/extension";
import { $createLinkNode } from "@lexical/link";
import { $createHeadingNode, $createQuoteNode } from "@lexical/rich-text";
import {
  $createLineBreakNode,
  $createParagraphNode,
  $isLineBreakNode,
  type ElementNode,
  IS_CODE,
  IS_HIGHLIGHT,
  type LexicalNode,
} from "lexical";
import { BlockBuilder } from "./blockBuilder";
import { $importEmbed } from "./embeds";
import { cleanText } from "./escape";
import { codeLanguage, LINK_ATTRIBUTES } from "./exportHtml";
import { isCode, isHidden, readElementStyle } from "./foreignStyle";
import type { HtmlOrigin } from "./htmlOrigin";
import { BLOCK_SELECTOR, CONTAINERS, HEADINGS, LEAVES, SKIPPED } from "./htmlTags";
import { wholeNumber } from "./media";
import { $importTable, isDataTable } from "./tableHtml";
import { TAG_FORMATS } from "./textFormat";
import { $plainLines, $textNodes } from "./textNodes";
import { PLAIN_STYLE, type TextStyle } from "./textStyle";
import { parseLinkUrl } from "./urls";
import { nestWordLists } from "./wordLists";

interface Inline {
  readonly format: number;
  readonly style: TextStyle;
  readonly href: string | null;
  /** Inside `pre`, or in foreign text whose style preserves white space. */
  readonly keepSpace: boolean;
}

/** Parses `html`, or reads a parsed body, into blocks. Needs an update scope. */
export function $importHtml(html: string | HTMLElement, origin: HtmlOrigin): LexicalNode[] {
  const body =
    typeof html === "string" ? new DOMParser().parseFromString(html, "text/html").body : html;
  if (origin === "foreign") nestWordLists(body);
  const importer = new Importer(origin);
  importer.$walkChildren(body, {
    format: 0,
    style: PLAIN_STYLE,
    href: null,
    keepSpace: origin === "stored",
  });
  return importer.$finish();
}

class Importer {
  readonly #builder: BlockBuilder;
  readonly #origin: HtmlOrigin;
  /** Whether a table cell is being read, where a nested table becomes text. */
  readonly #isCell: boolean;

  constructor(origin: HtmlOrigin, isCell = false) {
    this.#origin = origin;
    this.#isCell = isCell;
    this.#builder = new BlockBuilder(origin === "foreign");
  }

  $finish(): LexicalNode[] {
    return this.#builder.$finish();
  }

  $walkChildren(parent: Node, inline: Inline): void {
    for (const child of parent.childNodes) {
      if (child instanceof Text) this.#$text(child, inline);
      else if (child instanceof HTMLElement) this.#$element(child, inline);
    }
  }

  #$element(element: HTMLElement, outer: Inline): void {
    const tag = element.tagName;
    if (SKIPPED.has(tag) || (this.#origin === "foreign" && isHidden(element))) return;
    const inline = this.#inlineWithin(element, outer);
    const heading = HEADINGS[tag];
    if (heading !== undefined) this.#$leaf(element, inline, () => $createHeadingNode(heading));
    else if (tag === "P") this.#$paragraph(element, inline);
    else if (tag === "BLOCKQUOTE") this.#$leaf(element, inline, $createQuoteNode);
    else if (tag === "PRE") this.#$code(element);
    else if (this.#origin === "foreign" && isCode(element)) this.#$copiedCode(element, inline);
    else if (tag === "UL" || tag === "OL") this.#$list(element, inline);
    else if (tag === "LI") this.#$leaf(element, inline, $createParagraphNode);
    else if (tag === "HR") this.#builder.$appendBlock($createHorizontalRuleNode());
    else if (tag === "BR") this.#$lineBreak(element, inline);
    else if (tag === "IMG" || tag === "IFRAME") this.#$embed(element);
    else if (element instanceof HTMLTableElement) this.#$table(element, inline);
    else if (CONTAINERS.has(tag)) this.#$container(element, inline);
    else this.$walkChildren(element, inline);
  }

  #inlineWithin(element: HTMLElement, outer: Inline): Inline {
    const own = readElementStyle(element, this.#origin);
    const tagFormat = TAG_FORMATS[element.tagName] ?? 0;
    const style = own.styleWithin(outer.style);
    const highlight = style.background === undefined ? 0 : IS_HIGHLIGHT;
    const href = element instanceof HTMLAnchorElement ? element.getAttribute("href") : null;
    return {
      format: ((outer.format | tagFormat) & ~own.clear) | own.set | highlight,
      style,
      href: (href === null ? null : parseLinkUrl(href)) ?? outer.href,
      keepSpace: outer.keepSpace || own.keepSpace,
    };
  }

  /** Imports a block of text; when it contains other blocks instead, those take its kind. */
  #$leaf(element: HTMLElement, inline: Inline, $create: () => ElementNode): void {
    this.#builder.$within($create, () => {
      if (element.querySelector(BLOCK_SELECTOR) === null) this.#builder.$openBlock();
      this.$walkChildren(element, inline);
    });
  }

  #$paragraph(element: HTMLElement, inline: Inline): void {
    if (isWithin(element, "li")) this.#$container(element, inline);
    else if (isWithin(element, "blockquote")) this.#$leaf(element, inline, $createQuoteNode);
    else this.#$leaf(element, inline, $createParagraphNode);
  }

  #$container(element: HTMLElement, inline: Inline): void {
    // Several paragraphs in one list item stay one item, on lines of their own.
    const isInItem = isWithin(element, "li");
    if (isInItem) this.#builder.$breakLine();
    else this.#builder.$close();
    this.$walkChildren(element, inline);
    if (!isInItem) this.#builder.$close();
  }

  #$table(element: HTMLTableElement, inline: Inline): void {
    if (this.#isCell || !isDataTable(element, this.#origin === "foreign")) {
      this.#$container(element, inline);
      return;
    }
    if (element.caption !== null) this.#$leaf(element.caption, inline, $createParagraphNode);
    const table = $importTable(element, (cell) => {
      const importer = new Importer(this.#origin, true);
      importer.$walkChildren(cell, this.#inlineWithin(cell, inline));
      return importer.$finish();
    });
    this.#builder.$appendBlock(table);
  }

  #$list(element: HTMLElement, inline: Inline): void {
    const start = element instanceof HTMLOListElement ? wholeNumber(element.start) || 1 : 1;
    const type = element instanceof HTMLOListElement ? "number" : "bullet";
    this.#builder.$withinList(type, start, () => this.$walkChildren(element, inline));
  }

  #$code(element: HTMLElement): void {
    const language =
      element.dataset.language ?? /\blanguage-([\w+#.-]+)/.exec(element.innerHTML)?.[1];
    const $create = () => $createCodeNode(codeLanguage(language) ?? undefined);
    this.#builder.$within($create, () => {
      this.#builder.$openBlock();
      this.#builder.$appendInline($plainLines(element));
    });
  }

  /**
   * Copied from an editor of code: whole lines become a block, a part of one becomes inline text. A
   * word processor copies words in letters of one width as an element of its own, with its formats.
   */
  #$copiedCode(element: HTMLElement, outer: Inline): void {
    const inline = { ...outer, format: outer.format | IS_CODE };
    if ($plainLines(element).slice(0, -1).some($isLineBreakNode)) this.#$code(element);
    else if (!element.matches(BLOCK_SELECTOR)) this.$walkChildren(element, inline);
    else this.#$inline($textNodes(element.textContent, inline), inline);
  }

  #$lineBreak(element: HTMLElement, inline: Inline): void {
    if (element.className === "Apple-interchange-newline") return;
    this.#$inline([$createLineBreakNode()], inline);
  }

  #$embed(element: HTMLElement): void {
    const node = $importEmbed(element, this.#origin === "foreign");
    if (node !== null) this.#builder.$appendBlock(node);
  }

  #$text(node: Text, inline: Inline): void {
    const text = this.#normalizeSpace(cleanText(node.data), inline);
    if (text === "" || (!this.#builder.isOpen && this.#isLayout(node, inline))) return;
    this.#$inline($textNodes(text, inline), inline);
  }

  /** Whether a blank text only separates blocks in the source. */
  #isLayout(node: Text, { keepSpace }: Inline): boolean {
    if (!/^[ \t\n\r\f]*$/.test(node.data)) return false;
    if (this.#origin === "foreign" && keepSpace) return node.data.includes("\n");
    const block = node.parentElement?.closest(BLOCK_SELECTOR);
    const isContent = this.#origin === "stored" && block && LEAVES.has(block.tagName);
    return !isContent || node.data.includes("\n");
  }

  #normalizeSpace(text: string, inline: Inline): string {
    // The exporter never writes a newline: one in stored text is indentation from another API
    // client.
    if (this.#origin === "stored") return text.replace(/[ \t]*[\n]\s*/g, " ");
    if (inline.keepSpace) return text;
    // Email and word processors pad with no-break spaces; one between two words is kept.
    const collapsed = text
      .replace(/^\u00A0+$|\u00A0+(?=[ \n])|(?<=[ \n])\u00A0+/g, " ")
      .replace(/[ \t\n]+/g, " ");
    const atStart = this.#builder.$atLineStart || this.#builder.$endsWithSpace;
    return atStart ? collapsed.replace(/^ /, "") : collapsed;
  }

  #$inline(nodes: LexicalNode[], inline: Inline): void {
    const link = inline.href === null ? null : $createLinkNode(inline.href, LINK_ATTRIBUTES);
    this.#builder.$appendInline(nodes, link);
  }
}

/** Whether an element is in such a block, not counting a table around its cell. */
function isWithin(element: Element, selector: "li" | "blockquote"): boolean {
  return element.closest(`${selector}, td, th`)?.matches(selector) ?? false;
}
