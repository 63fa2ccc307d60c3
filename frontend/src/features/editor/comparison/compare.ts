import { diffArrays, diffWordsWithSpace } from "diff";
import type { RevisionContent } from "@/api/generated";

/** A piece of text in both versions, or in one of them only. */
export interface Piece {
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
  for (const cell of body.querySelectorAll("td, th")) {
    if (!cell.querySelector(BLOCKS)) cell.append(" ");
  }
  for (const item of body.querySelectorAll("li")) {
    for (const list of item.querySelectorAll("ul, ol")) list.before("\n");
    item.prepend(markOf(item));
  }
  // The cells of a row share its line.
  for (const block of body.querySelectorAll(BLOCKS)) {
    // An item that ends with a block has the end of that.
    if (block.matches("li") && block.lastElementChild?.matches("ul, ol, p")) continue;
    block.append(block.closest("td, th") ? " " : "\n");
  }
  return (body.textContent ?? "").replace(/\n{3,}/g, "\n\n").trim();
}

function markOf(item: Element): string {
  const list = item.parentElement;
  if (list?.tagName !== "OL") return "• ";
  return `${[...list.children].indexOf(item) + 1}. `;
}

/**
 * Returns the words removed and added; null when the comparison takes too long. Words are compared
 * within lines that resemble each other: among unrelated lines they would only coincide.
 */
export function compare(from: string, to: string): Piece[] | null {
  const before = linesOf(from);
  const after = linesOf(to);
  const changes = diffArrays(before, after, {
    timeout: COMPARE_TIMEOUT,
    comparator: (left, right) => left.text === right.text || areAlike(left.words, right.words),
  });
  if (!changes) return null;
  const pieces: Omit<Piece, "id">[] = [];
  let left = 0;
  let right = 0;
  for (const { added, removed, value } of changes) {
    for (const { text } of value) {
      if (added) right += 1;
      if (removed) left += 1;
      if (added || removed) pieces.push({ text, kind: added ? "added" : "removed" });
      else pieces.push(...compareWords(before[left++]?.text ?? "", after[right++]?.text ?? ""));
    }
  }
  return pieces.map((piece, id) => ({ ...piece, id }));
}

interface Line {
  readonly text: string;
  readonly words: ReadonlySet<string>;
}

const linesOf = (text: string): Line[] =>
  text.split("\n").map((line) => ({ text: `${line}\n`, words: new Set(line.match(/\S+/g)) }));

/** Whether at least half of the words are in both lines. */
function areAlike(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  const common = [...left].filter((word) => right.has(word)).length;
  return 4 * common >= left.size + right.size;
}

/** Takes both lines as a whole when the comparison of their words takes too long. */
function compareWords(from: string, to: string): Omit<Piece, "id">[] {
  const changes = diffWordsWithSpace(from, to, { timeout: COMPARE_TIMEOUT }) ?? [
    { value: from, removed: true },
    { value: to, added: true },
  ];
  return changes.map(({ value, added, removed }) => ({
    text: value,
    kind: added ? "added" : removed ? "removed" : "same",
  }));
}

/** Pieces that follow each other: a change, or what both versions have between two. */
export interface Run {
  readonly id: number;
  readonly isChange: boolean;
  readonly pieces: readonly Piece[];
}

/** Joins pieces to changes, and to what stands between them. */
export function runsOf(pieces: readonly Piece[]): Run[] {
  const runs: (Run & { pieces: Piece[] })[] = [];
  for (const piece of pieces) {
    const isChange = piece.kind !== "same";
    const last = runs.at(-1);
    if (last?.isChange === isChange) last.pieces.push(piece);
    else runs.push({ id: piece.id, isChange, pieces: [piece] });
  }
  return runs;
}
