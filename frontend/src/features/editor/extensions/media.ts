/** Images and videos: their nodes, and the commands that insert them. */
import { NodeSelectionExtension } from "@lexical/extension";
import { DRAG_DROP_PASTE } from "@lexical/rich-text";
import { $insertNodeToNearestRoot } from "@lexical/utils";
import {
  $createParagraphNode,
  $getEditor,
  $getSelection,
  $isElementNode,
  $isParagraphNode,
  $isRangeSelection,
  COMMAND_PRIORITY_EDITOR,
  COMMAND_PRIORITY_LOW,
  createCommand,
  defineExtension,
  type LexicalCommand,
  type LexicalNode,
  mergeRegister,
} from "lexical";
import { type ImageData, parseVideoUrl } from "../html/media";
import { $createImageNode, ImageNode } from "../nodes/imageNode";
import { $createYouTubeNode, YouTubeNode } from "../nodes/youTubeNode";

/** Inserts an image that is already stored. */
export const INSERT_IMAGE_COMMAND: LexicalCommand<ImageData> = createCommand("INSERT_IMAGE");

/**
 * Requests the page to upload image files and insert them, and to refuse other files; only the page
 * can call the server.
 */
export const UPLOAD_IMAGES_COMMAND: LexicalCommand<readonly File[]> =
  createCommand("UPLOAD_IMAGES");

/** Inserts the video of a YouTube address; returns `false` for any other address. */
export const INSERT_VIDEO_COMMAND: LexicalCommand<string> = createCommand("INSERT_VIDEO");

/** Requests the video dialog. */
export const REQUEST_VIDEO_COMMAND: LexicalCommand<void> = createCommand("REQUEST_VIDEO");

/** Handles the insert commands, and uploads pasted or dropped files. */
export const MediaExtension = defineExtension({
  name: "ideavault/Media",
  dependencies: [NodeSelectionExtension],
  nodes: () => [ImageNode, YouTubeNode],
  register: (editor) =>
    mergeRegister(
      editor.registerCommand(
        INSERT_IMAGE_COMMAND,
        (image) => {
          $insertBlock($createImageNode(image));
          return true;
        },
        COMMAND_PRIORITY_EDITOR,
      ),
      editor.registerCommand(
        INSERT_VIDEO_COMMAND,
        (address) => {
          const id = parseVideoUrl(address);
          if (id === null) return false;
          $insertBlock($createYouTubeNode(id));
          return true;
        },
        COMMAND_PRIORITY_EDITOR,
      ),
      editor.registerCommand(
        DRAG_DROP_PASTE,
        (files) => editor.dispatchCommand(UPLOAD_IMAGES_COMMAND, files),
        COMMAND_PRIORITY_LOW,
      ),
    ),
});

/** Inserts a block at the caret and removes the empty line it was inserted from. */
function $insertBlock(node: LexicalNode): void {
  // The idea may have been published during the upload.
  if (!$getEditor().isEditable()) return;
  const selection = $getSelection();
  const line = $isRangeSelection(selection)
    ? selection.anchor.getNode().getTopLevelElement()
    : null;
  $insertNodeToNearestRoot(node);
  if ($isElementNode(line) && line.isAttached() && line.isEmpty()) line.remove();
  const next = node.getNextSibling();
  // Splitting a heading at its end leaves an empty heading; after an image, text follows.
  if ($isElementNode(next) && next.isEmpty() && !$isParagraphNode(next)) {
    const paragraph = $createParagraphNode();
    next.replace(paragraph);
    paragraph.select();
  }
}
