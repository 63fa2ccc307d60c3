/** One page of pdf.js, behind a small interface. */
import {
  AnnotationMode,
  type PDFPageProxy,
  RenderingCancelledException,
  TextLayer,
} from "pdfjs-dist";
import { canvasScale, type Size, validSize } from "./geometry";
import { findLinks, type PageLink } from "./links";
import type { StallDetector } from "./stall";

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

const CSS_UNITS = 96 / 72;

/** Wraps a page; the detector fails work on it that stalls. */
export function pageOf(page: PDFPageProxy, detector: StallDetector): PdfPage {
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
