/** Reads a clipboard's HTML, puts Word's pictures into it, and tells what cannot be kept of it. */
import { MAX_PASTED_IMAGE_LENGTH, readImage, readVideo } from "./media";
import { readRtfPictures } from "./rtfPictures";
import { cellCount, MAX_CELLS } from "./tableHtml";

/** What a paste leaves behind. Counts are of elements. */
export interface PasteLosses {
  /** Pictures that stand on another server or disk, or are too large. */
  readonly pictures: number;
  /** Drawings, formulas, videos and other embedded objects. */
  readonly objects: number;
  /** Tables whose text stays, as paragraphs. */
  readonly tables: number;
  readonly formatting: readonly ("underline" | "alignment")[];
}

/** Foreign HTML, ready to be imported. */
export interface ClipboardDocument {
  readonly body: HTMLElement;
  readonly losses: PasteLosses;
}

const OBJECTS = "svg, math, object, embed, canvas, video, audio, iframe";
/** Mails and pages carry pictures of one pixel to tell who reads them. */
const MIN_PICTURE_SIZE = 3;

/** Parses what the clipboard offers as HTML and as RTF (empty if it does not). */
export function readClipboard(html: string, rtf: string): ClipboardDocument {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  embedPictures(body, rtf);
  return { body, losses: findLosses(body) };
}

/** Whether something to read is lost, and not only how it looks. */
export function losesContent({ pictures, objects, tables }: PasteLosses): boolean {
  return pictures + objects + tables > 0;
}

function embedPictures(body: HTMLElement, rtf: string): void {
  const images = [...body.querySelectorAll("img")].filter(({ src }) => src.startsWith("file:"));
  if (images.length === 0 || rtf === "") return;
  const pictures = readRtfPictures(rtf);
  // Otherwise nobody can tell which is which: a wrong picture is worse than none.
  if (pictures.length !== images.length) return;
  for (const [index, image] of images.entries()) {
    const address = pictures[index];
    if (address) image.setAttribute("src", address);
  }
}

function findLosses(body: HTMLElement): PasteLosses {
  const count = <E extends Element>(selector: string, isLost: (element: E) => boolean) =>
    [...body.querySelectorAll<E>(selector)].filter(isLost).length;
  const formatting: ("underline" | "alignment")[] = [];
  if (count("u, ins, [style*=underline]", isUnderlined) > 0) formatting.push("underline");
  if (count("[align], [style*=text-align]", isAligned) > 0) formatting.push("alignment");
  return {
    pictures: count("img", isLostPicture),
    objects: count(
      OBJECTS,
      (element) => element.closest("svg svg") === null && readVideo(element) === null,
    ),
    tables: count("table", isLostTable),
    formatting,
  };
}

function isLostPicture(image: HTMLImageElement): boolean {
  const isTiny = [image.getAttribute("width"), image.getAttribute("height")].some(
    (size) => size !== null && Number(size) < MIN_PICTURE_SIZE,
  );
  return !isTiny && readImage(image, MAX_PASTED_IMAGE_LENGTH) === null;
}

/** Links are underlined by nature. */
function isUnderlined(element: HTMLElement): boolean {
  const isPlain = element.matches("u, ins") || element.style.textDecoration.includes("underline");
  return isPlain && element.closest("a") === null && element.querySelector("a") === null;
}

function isAligned(element: HTMLElement): boolean {
  const align = element.style.textAlign || element.getAttribute("align") || "";
  return element.textContent.trim() !== "" && /^(?:center|right|end)$/i.test(align);
}

/** Within the cell of a table that is kept, or too large to be edited. */
function isLostTable(table: HTMLTableElement): boolean {
  const outer = table.parentElement?.closest("table") ?? null;
  const isKeptOutside = outer !== null && cellCount(outer) > 1;
  return cellCount(table) > (isKeptOutside ? 1 : MAX_CELLS);
}
