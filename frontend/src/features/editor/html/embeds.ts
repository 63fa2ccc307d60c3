/** Elements that become a block of their own. */
import type { LexicalNode } from "lexical";
import { $createImageNode } from "../nodes/imageNode";
import { $createYouTubeNode } from "../nodes/youTubeNode";
import { MAX_PASTED_IMAGE_LENGTH, readImage, readVideo } from "./media";

/** Creates the block for an image or player element; null when the document may not show it. */
export function $importEmbed(element: Element, isForeign: boolean): LexicalNode | null {
  if (element.tagName === "IMG") {
    const image = readImage(element, isForeign ? MAX_PASTED_IMAGE_LENGTH : undefined);
    return image === null ? null : $createImageNode(image);
  }
  const id = readVideo(element);
  return id === null ? null : $createYouTubeNode(id);
}
