import { diffWordsWithSpace } from "diff";
import type { RevisionContent } from "@/api/generated";

/** A piece of text in both versions, or in one of them only. */
interface Piece {
  readonly id: number;
  readonly text: string;
  readonly kind: "same" | "added" | "removed";
}

/** Timeout of a comparison, in milliseconds. */
const COMPARE_TIMEOUT = 1500;

const BLOCKS = "p, h1, h2, h3, h4, h5, h6, li, blockquote, pre, tr, hr";

/** Returns the text of a content, one line per block; for a PDF only its name. */
export function plainText(content: RevisionContent["content"]): string {
  if (typeof content === "string") return textOfHtml(content);
  if (content && "fileName" in content && typeof content.fileName === "string") {
    return content.fileName;
  }
  return JSON.stringify(content, null, 2) ?? "";
}

/** Parses into an inert document: nothing in it loads or runs. */
function textOfHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const image of body.querySelectorAll("img")) {
    image.replaceWith(image.alt ? `[Image: ${image.alt}]` : "[Image]");
  }
  for (const video of body.querySelectorAll("iframe")) video.replaceWith("[Video]");
  for (const end of body.querySelectorAll("br")) end.replaceWith("\n");
  for (const cell of body.querySelectorAll("td, th")) cell.append(" ");
  for (const block of body.querySelectorAll(BLOCKS)) block.append("\n");
  return (body.textContent ?? "").replace(/\n{3,}/g, "\n\n").trim();
}

/** Returns the words removed and added; null when the comparison takes too long. */
export function compare(from: string, to: string): Piece[] | null {
  const changes = diffWordsWithSpace(from, to, { timeout: COMPARE_TIMEOUT });
  if (!changes) return null;
  return changes.map(({ value, added, removed }, id) => ({
    id,
    text: value,
    kind: added ? "added" : removed ? "removed" : "same",
  }));
}
