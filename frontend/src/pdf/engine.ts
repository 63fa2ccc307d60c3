/**
 * A small interface to pdf.js. Active content stays out: no scripts, no forms, no generated code;
 * links are returned as data, for the caller to check.
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
import type { ByteSource } from "./byteSource";
import { canvasScale, DEFAULT_SIZE, type Size, validSize } from "./geometry";
import { findLinks, type PageLink } from "./links";
import type { StallDetector } from "./stall";

/** An open PDF. */
export interface PdfFile {
  readonly pageCount: number;
  /** Size of the first page, to reserve its space. */
  readonly firstSize: Size;
  page(number: number): Promise<PdfPage>;
  /** Resolves a destination inside the document to its page number. */
  pageOf(destination: unknown): Promise<number | null>;
}

/** One page. Sizes are in CSS pixels at 100 %. */
export interface PdfPage {
  readonly size: Size;
  /** Draws the page; resolves to null when aborted. */
  draw(scale: number, signal: AbortSignal): Promise<Drawing | null>;
  /**
   * Fills the text layer, for selection and screen readers; resolves to false when the page has no
   * text.
   */
  writeText(layer: HTMLElement, signal: AbortSignal): Promise<boolean>;
  links(): Promise<PageLink[]>;
  /** Releases the page's resources; it can be drawn again later. */
  release(): void;
}

/** Result of drawing a page. */
export interface Drawing {
  readonly canvas: HTMLCanvasElement;
  /** An image could not be decoded and was left blank. */
  readonly lacksPicture: boolean;
}

/** Files copied by the build, see build/pdfjsFiles.ts. */
const FILES = `/assets/pdfjs-${version}/`;

const CSS_UNITS = 96 / 72;

/**
 * Smallest range request. Before the first page shows, pdf.js reads one small object of every page,
 * each from another position.
 */
const CHUNK_BYTES = 4_096;

/**
 * Opens a PDF and reads only the ranges that are needed, those of the first page first. Rejects
 * with an error that `problemOf` classifies, and calls `onTrouble` when a range cannot be read,
 * then or later. Aborting the signal closes the document. The detector is told of every range that
 * is read, and fails work on a page that stalls; guarding the opening is up to the caller.
 */
export async function openPdf(
  source: ByteSource,
  port: Worker,
  signal: AbortSignal,
  detector: StallDetector,
  onTrouble: (error: unknown) => void,
): Promise<PdfFile> {
  const worker = PDFWorker.create({ port, verbosity: VerbosityLevel.ERRORS });
  const task = getDocument({
    range: new ByteSourceTransport(source, detector, onTrouble),
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

/** Feeds ranges to pdf.js, whose interface has no way to report that one failed. */
class ByteSourceTransport extends PDFDataRangeTransport {
  readonly #source: ByteSource;
  readonly #detector: StallDetector;
  readonly #onTrouble: (error: unknown) => void;

  constructor(source: ByteSource, detector: StallDetector, onTrouble: (error: unknown) => void) {
    super(source.length, null);
    this.#source = source;
    this.#detector = detector;
    this.#onTrouble = onTrouble;
  }

  override requestDataRange(begin: number, end: number): void {
    this.#detector
      .transfer(this.#source.read(begin, end))
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
  const size = validSize(natural);
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
    // A canvas of size 0 gives its memory back at once.
    canvas.width = 0;
    if (error instanceof RenderingCancelledException) return null;
    stop();
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/**
 * pdf.js does not report an image that cannot be decoded: it stores null for it and draws nothing.
 */
const lacksPicture = ({ objs }: PDFPageProxy) => [...objs].some(([, data]) => data === null);

function isReference(value: unknown): value is { num: number; gen: number } {
  return typeof value === "object" && value !== null && "num" in value && "gen" in value;
}
