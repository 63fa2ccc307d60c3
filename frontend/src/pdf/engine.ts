/**
 * A small interface to pdf.js. Active content stays out: no scripts, no forms, no generated code;
 * links are returned as data, for the caller to check.
 */
import {
  getDocument,
  PDFDataRangeTransport,
  type PDFDocumentProxy,
  PDFWorker,
  VerbosityLevel,
  version,
} from "pdfjs-dist";
import type { ByteSource } from "./byteSource";
import { type PdfPage, pageOf } from "./enginePage";
import { DEFAULT_SIZE, type Size } from "./geometry";
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

/** Files copied by the build, see build/pdfjsFiles.ts. */
const FILES = `/assets/pdfjs-${version}/`;

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

function isReference(value: unknown): value is { num: number; gen: number } {
  return typeof value === "object" && value !== null && "num" in value && "gen" in value;
}
