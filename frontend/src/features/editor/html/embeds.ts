/** Blocks that are not text: which elements become one, and which are dropped. */
import type { LexicalNode } from "lexical";

/** The block for an image or player element, or null when the document may not show it. */
export function $importEmbed(_element: HTMLElement): LexicalNode | null {
  return null;
}
