/**
 * pdf.js behind our own few words. What a PDF brings along besides pages stays out: no scripts, no
 * forms, no generated code, and its links are given as data, for us to judge.
 */
import {
  AnnotationMode,
  getDocument,
  PDFDataRangeTransport,
  type PDFDocumentProxy,
  type PDFPageProxy,
  PDFWorker,
  RenderingCancelledException,
  TextLayer,
  VerbosityLevel,
  version,
} from "pdfjs-dist/legacy/build/pdf.mjs";
import { canvasScale, DEFAULT_SIZE, type Size, soundSize } from "./geometry";
import { findLinks, type PageLink } from "./links";
import type { Parts } from "./parts";
import type { StallDetector } from "./stall";

/** A PDF that is open. */
export interface PdfFile {
  readonly pageCount: number;
  /** Of the first page, to reserve its place. */
  readonly firstSize: Size;
  page(number: number): Promise<PdfPage>;
  /** The number of the page that a place inside the document is on. */
  pageOf(destination: unknown): Promise<number | null>;
}

/** One page. Sizes are CSS pixels at 100 %. */
export interface PdfPage {
  readonly size: Size;
  /** Draws the page; null when it was called off. */
  draw(scale: number, signal: AbortSignal): Promise<Drawing | null>;
  /** Puts the text where it stands, to be selected and read; false when there is none. */
  writeText(layer: HTMLElement, signal: AbortSignal): Promise<boolean>;
  links(): Promise<PageLink[]>;
  /** Frees what the page holds; it can be drawn again later. */
  release(): void;
}

/** A page as it was drawn. */
export interface Drawing {
  readonly canvas: HTMLCanvasElement;
  /** A picture could not be read: its place was left blank. */
  readonly lacksPicture: boolean;
}

/** Written by the build, see build/pdfjsFiles.ts. */
const FILES = `/assets/pdfjs-${version}/`;

const CSS_UNITS = 96 / 72;

/**
 * What is asked for at least. Before the first page shows, one small thing is read about every
 * page, each from another place.
 */
const CHUNK_BYTES = 4_096;

/**
 * Opens a PDF and reads only the parts that are needed, first what the first page needs. Fails with
 * what `problemOf` understands, and tells `onTrouble` when a part cannot be had, then or later.
 * Aborting the signal closes the document. The detector hears of every part that is read, and ends
 * what stands still on a page; opening is for the caller to guard.
 */
export async function openPdf(
  parts: Parts,
  port: Worker,
  signal: AbortSignal,
  detector: StallDetector,
  onTrouble: (error: unknown) => void,
): Promise<PdfFile> {
  const worker = PDFWorker.create({ port, verbosity: VerbosityLevel.ERRORS });
  const task = getDocument({
    range: new PartsTransport(parts, detector, onTrouble),
    worker,
    verbosity: VerbosityLevel.ERRORS,
    rangeChunkSize: CHUNK_BYTES,
    disableStream: true,
    disableAutoFetch: true,
    isEvalSupported: false,
    enableXfa: false,
    cMapUrl: `${FILES}cmaps/`,
    standardFontDataUrl: `${FILES}standard_fonts/`,
    wasmUrl: `${FILES}wasm/`,
    iccUrl: `${FILES}iccs/`,
  });
  signal.addEventListener("abort", () => {
    task.destroy().catch(() => undefined);
  });
  const document = await task.promise;
  const hasPages = document.numPages > 0;
  const first = hasPages ? pageOf(await document.getPage(1), detector).size : DEFAULT_SIZE;
  return fileOf(document, first, detector);
}

/** Hands parts to pdf.js, which has no word for a part that cannot be had. */
class PartsTransport extends PDFDataRangeTransport {
  readonly #parts: Parts;
  readonly #detector: StallDetector;
  readonly #onTrouble: (error: unknown) => void;

  constructor(parts: Parts, detector: StallDetector, onTrouble: (error: unknown) => void) {
    super(parts.length, null);
    this.#parts = parts;
    this.#detector = detector;
    this.#onTrouble = onTrouble;
  }

  override requestDataRange(begin: number, end: number): void {
    this.#detector
      .transfer(this.#parts.read(begin, end))
      .then((bytes) => this.onDataRange(begin, bytes))
      .catch(this.#onTrouble);
  }
}

function fileOf(document: PDFDocumentProxy, firstSize: Size, detector: StallDetector): PdfFile {
  return {
    firstSize,
    pageCount: document.numPages,
    page: async (number) => pageOf(await detector.guard(document.getPage(number)), detector),
    pageOf: async (destination) => {
      const place =
        typeof destination === "string" ? await document.getDestination(destination) : destination;
      const target: unknown = Array.isArray(place) ? place[0] : null;
      if (typeof target === "number") return target + 1;
      return isReference(target) ? (await document.getPageIndex(target)) + 1 : null;
    },
  };
}

function pageOf(page: PDFPageProxy, detector: StallDetector): PdfPage {
  const natural = page.getViewport({ scale: CSS_UNITS });
  const size = soundSize(natural);
  return {
    size,
    draw: (scale, signal) => draw(page, scale, signal, detector),
    writeText: async (layer, signal) => {
      const text = new TextLayer({
        textContentSource: page.streamTextContent(),
        container: layer,
        viewport: natural,
      });
      signal.addEventListener("abort", () => text.cancel());
      await detector.guard(text.render());
      return text.textContentItemsStr.some((item) => item.trim() !== "");
    },
    links: async () => findLinks(await page.getAnnotations(), natural),
    release: () => {
      page.cleanup();
    },
  };
}

async function draw(
  page: PDFPageProxy,
  scale: number,
  signal: AbortSignal,
  detector: StallDetector,
) {
  const shown = page.getViewport({ scale: CSS_UNITS * scale });
  const sharpness = canvasScale(shown, devicePixelRatio);
  const viewport = page.getViewport({ scale: CSS_UNITS * scale * sharpness });
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(viewport.width));
  canvas.height = Math.max(1, Math.round(viewport.height));
  const task = page.render({
    canvas,
    viewport,
    background: "#ffffff",
    annotationMode: AnnotationMode.ENABLE,
  });
  // A page that takes long is drawn in steps.
  task.onContinue = (proceed: () => void) => {
    detector.moved();
    proceed();
  };
  const stop = () => task.cancel();
  signal.addEventListener("abort", stop);
  try {
    if (signal.aborted) stop();
    await detector.guard(task.promise);
    return { canvas, lacksPicture: lacksPicture(page) };
  } catch (error) {
    // A canvas of no size gives its memory back at once.
    canvas.width = 0;
    if (error instanceof RenderingCancelledException) return null;
    stop();
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** A picture that cannot be read is no error to pdf.js: it keeps null for it, and draws nothing. */
const lacksPicture = ({ objs }: PDFPageProxy) => [...objs].some(([, data]) => data === null);

function isReference(value: unknown): value is { num: number; gen: number } {
  return typeof value === "object" && value !== null && "num" in value && "gen" in value;
}
