/** Changes the kind of the selected blocks: the block half of the toolbar. */
import { $createCodeNode, $isCodeNode } from "@lexical/code-core";
import {
  $isListItemNode,
  $isListNode,
  INSERT_ORDERED_LIST_COMMAND,
  INSERT_UNORDERED_LIST_COMMAND,
  REMOVE_LIST_COMMAND,
} from "@lexical/list";
import {
  $createHeadingNode,
  $createQuoteNode,
  $isHeadingNode,
  $isQuoteNode,
} from "@lexical/rich-text";
import { $setBlocksType } from "@lexical/selection";
import {
  $createParagraphNode,
  $findMatchingParent,
  $getEditor,
  $getSelection,
  $isRangeSelection,
  COMMAND_PRIORITY_EDITOR,
  createCommand,
  defineExtension,
  type LexicalCommand,
  type LexicalNode,
} from "lexical";

/** Kinds of text block in the toolbar. */
export type BlockKind = "paragraph" | "h1" | "h2" | "h3" | "quote" | "code" | "bullet" | "number";

/** Changes the selected blocks to one kind, or to paragraphs when they already have it. */
export const TOGGLE_BLOCK_COMMAND: LexicalCommand<BlockKind> = createCommand("TOGGLE_BLOCK");

/** Handles `TOGGLE_BLOCK_COMMAND`. */
export const BlocksExtension = defineExtension({
  name: "ideavault/Blocks",
  register: (editor) =>
    editor.registerCommand(
      TOGGLE_BLOCK_COMMAND,
      (kind) => {
        $toggleBlock(kind);
        return true;
      },
      COMMAND_PRIORITY_EDITOR,
    ),
});

/** Returns the kind of the block around a node; undefined for blocks without text. */
export function $blockKind(node: LexicalNode): BlockKind | undefined {
  const item = $findMatchingParent(node, $isListItemNode);
  const list = item?.getParent();
  if ($isListNode(list)) return list.getListType() === "number" ? "number" : "bullet";
  const block = node.getTopLevelElement();
  if ($isHeadingNode(block)) {
    const tag = block.getTag();
    return tag === "h1" || tag === "h2" ? tag : "h3";
  }
  if ($isQuoteNode(block)) return "quote";
  return $isCodeNode(block) ? "code" : "paragraph";
}

function $toggleBlock(kind: BlockKind): void {
  const selection = $getSelection();
  if (!$isRangeSelection(selection)) return;
  const current = $blockKind(selection.anchor.getNode());
  const target = kind === current ? "paragraph" : kind;
  const wasList = current === "bullet" || current === "number";
  if (target === "bullet" || target === "number") {
    const command =
      target === "bullet" ? INSERT_UNORDERED_LIST_COMMAND : INSERT_ORDERED_LIST_COMMAND;
    $getEditor().dispatchCommand(command);
  } else if (target === "paragraph" && wasList) {
    $getEditor().dispatchCommand(REMOVE_LIST_COMMAND);
  } else $setBlocksType(selection, () => $createBlock(target));
}

function $createBlock(kind: Exclude<BlockKind, "bullet" | "number">) {
  switch (kind) {
    case "paragraph":
      return $createParagraphNode();
    case "quote":
      return $createQuoteNode();
    case "code":
      return $createCodeNode();
    default:
      return $createHeadingNode(kind);
  }
}
