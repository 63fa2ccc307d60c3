/**
 * Routes HTML from the clipboard and from drops through the document importer, so that a paste only
 * adds what can be stored.
 */
import { $insertGeneratedNodes, ClipboardImportExtension } from "@lexical/clipboard";
import { $isCodeNode } from "@lexical/code-core";
import { $isTableCellNode, $isTableNode } from "@lexical/table";
import {
  $addUpdateTag,
  $findMatchingParent,
  $getEditor,
  $getNodeByKey,
  $getRoot,
  $isElementNode,
  $isParagraphNode,
  $isRangeSelection,
  $setSelection,
  type BaseSelection,
  configExtension,
  createCommand,
  defineExtension,
  type LexicalCommand,
  type LexicalNode,
  PASTE_TAG,
} from "lexical";
import {
  codeLosses,
  isLostPictureAlone,
  losesContent,
  type PasteLosses,
  readClipboard,
} from "../html/clipboardDocument";
import { $importHtml } from "../html/importHtml";
import { UPLOAD_IMAGES_COMMAND } from "./media";

/** A pending paste that would lose something. */
export interface LossyPaste {
  readonly losses: PasteLosses;
  /** Pastes what can be kept. */
  readonly insert: () => void;
}

/** Tag of the update that pastes what can be kept. */
export const LOSSY_PASTE_TAG = "lossy-paste";

/** Requests the page to report what a paste loses; the handler decides whether to insert. */
export const LOSSY_PASTE_COMMAND: LexicalCommand<LossyPaste> = createCommand("LOSSY_PASTE");

/** Marks a drag from an editor; Lexical does not export it. */
const LEXICAL_DRAG = "application/x-lexical-drag";

/** Overrides Lexical's own text/html import, and every import into a code block. */
export const PasteExtension = defineExtension({
  name: "ideavault/Paste",
  dependencies: [
    configExtension(ClipboardImportExtension, {
      $importMimeType: {
        // The clipboard has the same as HTML and as text, which a code block can take.
        "application/x-lexical-editor": [
          (_json, selection, $next) => !$isInCode(selection) && $next(),
        ],
        "text/html": [
          (html, selection, _$next, dataTransfer) => $pasteHtml(html, selection, dataTransfer),
        ],
        "text/plain": [
          (text, selection, $next) => {
            if (!$isInCode(selection)) return $next();
            selection.insertRawText(text);
            return true;
          },
        ],
      },
    }),
  ],
});

/** Whether a paste would go into a code block, where Lexical drops all blocks but the first. */
function $isInCode(selection: BaseSelection): boolean {
  if (!$isRangeSelection(selection)) return false;
  const start = selection.isBackward() ? selection.focus : selection.anchor;
  return $findMatchingParent(start.getNode(), $isCodeNode) !== null;
}

function $pasteHtml(html: string, selection: BaseSelection, dataTransfer: DataTransfer): boolean {
  const { body, losses } = readClipboard(html, dataTransfer.getData("text/rtf"));
  const [file, ...others] = dataTransfer.files;
  // "Copy image" of a browser: the address cannot be kept, but the picture is there as a file.
  if (file?.type.startsWith("image/") && others.length === 0 && isLostPictureAlone(body, losses)) {
    if ($getEditor().dispatchCommand(UPLOAD_IMAGES_COMMAND, [file])) return true;
  }
  if ($isInCode(selection)) {
    const text = dataTransfer.getData("text/plain") || body.textContent;
    const $insertText = (place: BaseSelection) => {
      place.insertRawText(text);
      return true;
    };
    // Dragged content has left its old place already: a cancelled question would lose it.
    const isDragged = dataTransfer.getData(LEXICAL_DRAG) !== "";
    return isDragged
      ? $insertText(selection)
      : $insertOrAsk(codeLosses(body), selection, $insertText);
  }
  return $insertOrAsk(losses, selection, (place) => $insertForeign(body, place));
}

/** Inserts at once when nothing is lost; else the handler decides. */
function $insertOrAsk(
  losses: PasteLosses,
  selection: BaseSelection,
  $insert: (selection: BaseSelection) => boolean,
): boolean {
  if (!losesContent(losses) && losses.formatting.length === 0) return $insert(selection);
  const editor = $getEditor();
  const place = selection.clone();
  const insert = () =>
    editor.update(() => void $insert($restore(place)), { tag: [PASTE_TAG, LOSSY_PASTE_TAG] });
  // Without a handler, inserting what can be kept is better than nothing.
  return editor.dispatchCommand(LOSSY_PASTE_COMMAND, { losses, insert }) || $insert(selection);
}

/**
 * Inserts foreign HTML; returns false when it had no content, since the plain text beside it may
 * have some.
 */
function $insertForeign(body: HTMLElement, selection: BaseSelection): boolean {
  const nodes = $unwrapTables($unwrapSingleLine($importHtml(body, "foreign")), selection);
  if (nodes.length === 0) return false;
  // A drop is a paste as well; images of both are uploaded.
  $addUpdateTag(PASTE_TAG);
  $insertGeneratedNodes($getEditor(), nodes, selection);
  return true;
}

/**
 * Replaces tables beside other blocks by the content of their cells: Lexical drops a paste that has
 * them and goes into a table. A table alone fills the cells.
 */
function $unwrapTables(nodes: LexicalNode[], selection: BaseSelection): LexicalNode[] {
  const isInCell = selection.getNodes().some((node) => $findMatchingParent(node, $isTableCellNode));
  if (!isInCell || nodes.length === 1) return nodes;
  return nodes.flatMap((node) =>
    $isTableNode(node) ? $children(node).flatMap($children).flatMap($children) : [node],
  );
}

/** Restores the selection that was pasted into, or the end of the document if that is gone. */
function $restore(place: BaseSelection): BaseSelection {
  const isThere = place.getStartEndPoints()?.every(({ key }) => $getNodeByKey(key)?.isAttached());
  if (!isThere) return $getRoot().selectEnd();
  const selection = place.clone();
  $setSelection(selection);
  return selection;
}

const $children = (node: LexicalNode): LexicalNode[] =>
  $isElementNode(node) ? node.getChildren() : [];

/**
 * A copied phrase is inserted into the block at the caret; only several lines create their own
 * blocks.
 */
function $unwrapSingleLine(nodes: LexicalNode[]): LexicalNode[] {
  const [only] = nodes;
  return nodes.length === 1 && $isParagraphNode(only) ? only.getChildren() : nodes;
}
