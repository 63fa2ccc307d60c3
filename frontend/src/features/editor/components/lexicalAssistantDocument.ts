/** The live document for the writing assistant. */
import { $insertGeneratedNodes } from "@lexical/clipboard";
import {
  $addUpdateTag,
  $getRoot,
  $getSelection,
  $isRangeSelection,
  $isRootNode,
  HISTORY_PUSH_TAG,
  type LexicalEditor,
  type LexicalNode,
} from "lexical";
import type { AssistantDocument } from "../assistantSlot";
import { $importHtml } from "../html/importHtml";

/** Reads and changes `editor`; each change is one undo step. */
export const lexicalAssistantDocument = (editor: LexicalEditor): AssistantDocument => ({
  canChange: true,
  readSelection: () => editor.read(() => $getSelection()?.getTextContent() ?? ""),
  readText: () => editor.read(() => $getRoot().getTextContent()),
  insert: (html) => change(editor, () => $insertBlocks($importHtml(html, "foreign"))),
  replace: (html) => change(editor, () => $replace(editor, $importHtml(html, "foreign"))),
});

function change(editor: LexicalEditor, $change: () => void): void {
  if (!editor.isEditable()) return;
  editor.update(
    () => {
      $addUpdateTag(HISTORY_PUSH_TAG);
      $change();
    },
    { discrete: true },
  );
}

function $insertBlocks(blocks: LexicalNode[]): void {
  const place = $blockAtCaret();
  if (place === null) {
    $getRoot().append(...blocks);
    return;
  }
  for (const block of blocks.toReversed()) place.insertAfter(block);
  if (place.getTextContent() === "" && place.getType() === "paragraph") place.remove();
}

/** Returns the top-level block at the end of the selection, or the last one. */
function $blockAtCaret(): LexicalNode | null {
  const selection = $getSelection();
  const node = $isRangeSelection(selection) ? selection.focus.getNode() : null;
  const block = [node, ...(node?.getParents() ?? [])].find((one) => $isRootNode(one?.getParent()));
  return block ?? $getRoot().getLastChild();
}

function $replace(editor: LexicalEditor, blocks: LexicalNode[]): void {
  const selection = $getSelection();
  if ($isRangeSelection(selection) && !selection.isCollapsed()) {
    $insertGeneratedNodes(editor, blocks, selection);
    return;
  }
  $getRoot()
    .clear()
    .append(...blocks)
    .selectEnd();
}
