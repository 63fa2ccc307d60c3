/** Reads a clipboard's HTML, inserts Word's pictures, and reports what cannot be kept. */
import { MAX_PASTED_IMAGE_LENGTH, readImage, readVideo } from "./media";
import { readRtfPictures } from "./rtfPictures";
import { cellCount, MAX_CELLS } from "./tableHtml";
import { losesWordNumbers } from "./wordLists";
import { unwrapShapes } from "./wordShapes";

/** Losses of a paste. Counts are of elements. */
export interface PasteLosses {
  /** Pictures on another server or disk, or too large ones. */
  readonly pictures: number;
  /** Drawings, formulas, videos and other embedded objects. */
  readonly objects: number;
  /** Tables whose text stays, as paragraphs. */
  readonly tables: number;
  readonly formatting: readonly FormattingLoss[];
  /** Whether the paste goes into a code block, where only text is kept. */
  readonly isIntoCode: boolean;
}

/** `numbering` is the style of list numbers: ours are 1, 2, 3. */
export type FormattingLoss = "underline" | "alignment" | "numbering";

/** Foreign HTML, ready to be imported. */
interface ClipboardDocument {
  readonly body: HTMLElement;
  readonly losses: PasteLosses;
}

const OBJECTS = "svg, math, object, embed, canvas, video, audio, iframe";
/** Smallest picture side in pixels that counts: emails and pages contain tracking pixels. */
const MIN_PICTURE_SIZE = 3;

/** Parses the clipboard's HTML and RTF (empty if absent). */
export function readClipboard(html: string, rtf: string): ClipboardDocument {
  const { body } = new DOMParser().parseFromString(inert(html), "text/html");
  unwrapShapes(body);
  embedPictures(body, rtf);
  return { body, losses: findLosses(body) };
}

/**
 * Removes what browsers report as a violation of the page's policy as soon as it is parsed: style
 * sheets and handlers. Neither has a meaning here.
 */
const inert = (html: string): string =>
  html
    .replace(/<style.*?<\/style>/gis, "")
    .replace(/<\w[^>]*>/g, (tag) => tag.replace(/\son\w+\s*=/gi, " x="));

/** Whether the clipboard has one picture, which cannot be kept, and nothing else. */
export const isLostPictureAlone = (body: HTMLElement, { pictures, objects }: PasteLosses) =>
  pictures === 1 &&
  objects === 0 &&
  body.querySelectorAll("img").length === 1 &&
  body.textContent.trim() === "";

/** Returns what a paste into a code block loses; formatting is no loss in code. */
export function codeLosses(body: HTMLElement): PasteLosses {
  return {
    pictures: [...body.querySelectorAll("img")].filter((image) => !isTiny(image)).length,
    objects: body.querySelectorAll(OBJECTS).length,
    tables: 0,
    formatting: [],
    isIntoCode: true,
  };
}

/** Whether content is lost, and not only formatting. */
export function losesContent({ pictures, objects, tables }: PasteLosses): boolean {
  return pictures + objects + tables > 0;
}

function embedPictures(body: HTMLElement, rtf: string): void {
  const images = [...body.querySelectorAll("img")].filter(({ src }) => src.startsWith("file:"));
  if (images.length === 0 || rtf === "") return;
  const pictures = readRtfPictures(rtf);
  // If the counts differ, pictures cannot be matched: a wrong picture is worse than none.
  if (pictures.length !== images.length) return;
  for (const [index, image] of images.entries()) {
    const address = pictures[index];
    if (address) image.setAttribute("src", address);
  }
}

function findLosses(body: HTMLElement): PasteLosses {
  const count = <E extends Element>(selector: string, isLost: (element: E) => boolean) =>
    [...body.querySelectorAll<E>(selector)].filter(isLost).length;
  const formatting: FormattingLoss[] = [];
  if (count("u, ins, [style*=underline]", isUnderlined) > 0) formatting.push("underline");
  if (count("[align], [style*=text-align]", isAligned) > 0) formatting.push("alignment");
  const lettered = count("ol[type], [style*=list-style-type]", isLettered);
  if (lettered > 0 || losesWordNumbers(body)) formatting.push("numbering");
  return {
    pictures: count("img", isLostPicture),
    objects: count(
      OBJECTS,
      (element) => element.closest("svg svg") === null && readVideo(element) === null,
    ),
    tables: count("table", isLostTable),
    formatting,
    isIntoCode: false,
  };
}

const isLostPicture = (image: HTMLImageElement): boolean =>
  !isTiny(image) && readImage(image, MAX_PASTED_IMAGE_LENGTH) === null;

const isTiny = (image: HTMLImageElement): boolean =>
  [image.getAttribute("width"), image.getAttribute("height")].some(
    (size) => size !== null && Number(size) < MIN_PICTURE_SIZE,
  );

/** Links are underlined anyway, so their underline is no loss. */
function isUnderlined(element: HTMLElement): boolean {
  const isPlain = element.matches("u, ins") || element.style.textDecoration.includes("underline");
  return isPlain && element.closest("a") === null && element.querySelector("a") === null;
}

function isAligned(element: HTMLElement): boolean {
  const align = element.style.textAlign || element.getAttribute("align") || "";
  return element.textContent.trim() !== "" && /^(?:center|right|end)$/i.test(align);
}

/** The style of Google Docs and others is on each item. */
function isLettered(element: HTMLElement): boolean {
  const type = element.style.listStyleType || element.getAttribute("type") || "";
  return element.closest("ol") !== null && /^(?:(?:lower|upper)-|[ai]$)/i.test(type);
}

/** A table nested in a cell, or one too large to be edited. */
function isLostTable(table: HTMLTableElement): boolean {
  const outer = table.parentElement?.closest("table") ?? null;
  const isKeptOutside = outer !== null && cellCount(outer) > 1;
  return cellCount(table) > (isKeptOutside ? 1 : MAX_CELLS);
}
