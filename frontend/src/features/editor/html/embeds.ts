/** Elements that become a block of their own. */
import type { LexicalNode } from "lexical";
import { $createImageNode } from "../nodes/imageNode";
import { $createYouTubeNode } from "../nodes/youTubeNode";
import { readImage, readVideo } from "./media";

/** The block for an image or player element, or null when the document may not show it. */
export function $importEmbed(element: Element): LexicalNode | null {
  if (element.tagName === "IMG") {
    const image = readImage(element);
    return image === null ? null : $createImageNode(image);
  }
  const id = readVideo(element);
  return id === null ? null : $createYouTubeNode(id);
}
