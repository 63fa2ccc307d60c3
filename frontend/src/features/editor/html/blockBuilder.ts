/**
 * Converts a stream of "a block starts here", "text here" into well-formed Lexical blocks.
 *
 * Invariant: whatever the order of calls, only blocks of the document language are created, and no
 * block contains another, lists excepted. So one importer can read stored HTML and any clipboard.
 */
import { $isLinkNode, type LinkNode } from "@lexical/link";
import {
  $createListItemNode,
  $createListNode,
  type ListItemNode,
  type ListNode,
  type ListType,
} from "@lexical/list";
import {
  $createLineBreakNode,
  $createParagraphNode,
  $isLineBreakNode,
  $isTextNode,
  type ElementNode,
  type LexicalNode,
} from "lexical";

interface ListLevel {
  readonly type: ListType;
  /** Number of the next item; kept so that a list continues counting after an interruption. */
  next: number;
  /** Created with its first item, and again after a block has interrupted the list. */
  node: ListNode | null;
}

/** Collects blocks; one instance per import. */
export class BlockBuilder {
  readonly #blocks: LexicalNode[] = [];
  readonly #trimEnds: boolean;
  readonly #lists: ListLevel[] = [];
  #open: ElementNode | null = null;
  #$create: () => ElementNode = $createParagraphNode;

  /**
   * `trimEnds` drops a space at the end of a block: layout in foreign HTML, content in stored HTML.
   */
  constructor(trimEnds: boolean) {
    this.#trimEnds = trimEnds;
  }

  /** Whether inline content would be added to an existing block. */
  get isOpen(): boolean {
    return this.#open !== null;
  }

  /** Closes the open block and returns everything collected. */
  $finish(): LexicalNode[] {
    this.$close();
    return this.#blocks;
  }

  /** Runs `$body` with text added to blocks made by `$create`; inside a list, to its items. */
  $within($create: () => ElementNode, $body: () => void): void {
    const outer = this.#$create;
    this.$close();
    this.#$create = this.#lists.length > 0 ? () => this.#$nextItem() : $create;
    $body();
    this.$close();
    this.#$create = outer;
  }

  /** Runs `$body` inside one more list level. */
  $withinList(type: ListType, start: number, $body: () => void): void {
    const outer = this.#$create;
    this.$close();
    this.#lists.push({ type, next: start, node: null });
    this.#$create = () => this.#$nextItem();
    $body();
    this.$close();
    this.#lists.pop();
    this.#$create = outer;
  }

  /** Opens a block if none is open, so that even an empty one is kept. */
  $openBlock(): ElementNode {
    this.#open ??= this.#place(this.#$create());
    return this.#open;
  }

  /** Adds inline content to the open block, inside `link`, or inside the equal link just before. */
  $appendInline(nodes: LexicalNode[], link: LinkNode | null = null): void {
    if (nodes.length === 0) return;
    const block = this.$openBlock();
    if (link === null) {
      // As arguments, the lines of a long code block would overflow the stack.
      block.splice(block.getChildrenSize(), 0, nodes);
      return;
    }
    const last = block.getLastChild();
    const joins = $isLinkNode(last) && last.getURL() === link.getURL();
    if (!joins) block.append(link);
    (joins ? last : link).append(...nodes);
  }

  /** Adds a block that cannot live inside another, such as an image. */
  $appendBlock(node: LexicalNode): void {
    this.$close();
    for (const list of this.#lists) list.node = null;
    this.#blocks.push(node);
  }

  /** Closes the open block and drops a trailing line break, which no browser would draw. */
  $close(): void {
    const last = this.#open?.getLastChild();
    if ($isLineBreakNode(last)) last.remove();
    else if (this.#trimEnds && $isTextNode(last)) {
      last.setTextContent(last.getTextContent().replace(/ +$/, ""));
    }
    this.#open = null;
  }

  /** Starts a new line inside the open block, when it has content. */
  $breakLine(): void {
    if (this.#open !== null && !this.#open.isEmpty()) this.#open.append($createLineBreakNode());
  }

  /** Whether the next character would be the first one of its line. */
  get $atLineStart(): boolean {
    const last = this.#open?.getLastDescendant() ?? null;
    return last === null || $isLineBreakNode(last);
  }

  /** Whether the text so far ends with a space. */
  get $endsWithSpace(): boolean {
    const last = this.#open?.getLastDescendant() ?? null;
    return $isTextNode(last) && /\s$/.test(last.getTextContent());
  }

  #place(node: ElementNode): ElementNode {
    // List items are already in their list.
    if (this.#lists.length === 0) this.#blocks.push(node);
    return node;
  }

  #$nextItem(): ListItemNode {
    const list = this.#lists.at(-1);
    const item = $createListItemNode();
    if (list === undefined) return item;
    this.#$ensureList(this.#lists.length - 1).append(item);
    list.next += 1;
    return item;
  }

  #$ensureList(depth: number): ListNode {
    const level = this.#lists[depth];
    if (level?.node) return level.node;
    const list = $createListNode(level?.type ?? "bullet", level?.next ?? 1);
    if (level) level.node = list;
    if (depth === 0) this.#blocks.push(list);
    else this.#$ensureList(depth - 1).append($createListItemNode().append(list));
    return list;
  }
}
