/**
 * Routes HTML from the clipboard and from drops through the document importer, so that a paste
 * can only ever add what could also be stored.
 */
import { $insertGeneratedNodes, ClipboardImportExtension } from "@lexical/clipboard";
import {
  $getEditor,
  $getNodeByKey,
  $getRoot,
  $isElementNode,
  $isParagraphNode,
  $setSelection,
  type BaseSelection,
  configExtension,
  createCommand,
  defineExtension,
  type LexicalCommand,
  type LexicalEditor,
  type LexicalNode,
  PASTE_TAG,
} from "lexical";
import { losesContent, type PasteLosses, readClipboard } from "../html/clipboardDocument";
import { $importHtml } from "../html/importHtml";
import { $isImageNode } from "../nodes/imageNode";
import { UPLOAD_INLINE_IMAGES_COMMAND } from "./media";

/** A paste that would lose something, not carried out yet. */
export interface LossyPaste {
  readonly losses: PasteLosses;
  /** Pastes what can be kept. */
  readonly insert: () => void;
}

/** Asks the page to say what a paste loses; whoever handles it decides whether to insert. */
export const LOSSY_PASTE_COMMAND: LexicalCommand<LossyPaste> = createCommand("LOSSY_PASTE");

/** Overrides Lexical's own text/html import. */
export const PasteExtension = defineExtension({
  name: "ideavault/Paste",
  dependencies: [
    configExtension(ClipboardImportExtension, {
      $importMimeType: {
        "text/html": [
          (html, selection, _$next, dataTransfer) =>
            $pasteHtml(html, dataTransfer.getData("text/rtf"), selection),
        ],
      },
    }),
  ],
});

function $pasteHtml(html: string, rtf: string, selection: BaseSelection): boolean {
  const editor = $getEditor();
  const { body, losses } = readClipboard(html, rtf);
  if (!losesContent(losses) && losses.formatting.length === 0) {
    return $insertForeign(body, selection);
  }
  const place = selection.clone();
  const insert = () =>
    editor.update(() => void $insertForeign(body, $restore(place)), { tag: PASTE_TAG });
  // Where nobody can be asked, what can be kept is better than nothing.
  return (
    editor.dispatchCommand(LOSSY_PASTE_COMMAND, { losses, insert }) ||
    $insertForeign(body, selection)
  );
}

/** Whether anything was there to insert: else the plain text beside it may still hold something. */
function $insertForeign(body: HTMLElement, selection: BaseSelection): boolean {
  const nodes = $unwrapSingleLine($importHtml(body, "foreign"));
  if (nodes.length === 0) return false;
  const editor = $getEditor();
  $insertGeneratedNodes(editor, nodes, selection);
  $uploadImages(editor, nodes);
  return true;
}

/** The selection that was pasted into, or the end where its place has gone meanwhile. */
function $restore(place: BaseSelection): BaseSelection {
  const isThere = place.getStartEndPoints()?.every(({ key }) => $getNodeByKey(key)?.isAttached());
  if (!isThere) return $getRoot().selectEnd();
  const selection = place.clone();
  $setSelection(selection);
  return selection;
}

function $uploadImages(editor: LexicalEditor, nodes: readonly LexicalNode[]): void {
  const keys = nodes
    .flatMap($withDescendants)
    .filter($isImageNode)
    .filter((image) => image.$getImage().src.startsWith("data:"))
    .map((image) => image.getKey());
  if (keys.length > 0) editor.dispatchCommand(UPLOAD_INLINE_IMAGES_COMMAND, keys);
}

/** Images stand in the cells of tables as well. */
function $withDescendants(node: LexicalNode): LexicalNode[] {
  return $isElementNode(node) ? node.getChildren().flatMap($withDescendants) : [node];
}

/** A copied phrase joins the block at the caret; only more than one line brings its own blocks. */
function $unwrapSingleLine(nodes: LexicalNode[]): LexicalNode[] {
  const [only] = nodes;
  return nodes.length === 1 && $isParagraphNode(only) ? only.getChildren() : nodes;
}
