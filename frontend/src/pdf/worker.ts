import modernWorker from "pdfjs-dist/build/pdf.worker.mjs?worker&url";
import legacyWorker from "pdfjs-dist/legacy/build/pdf.worker.mjs?worker&url";
import { isModern } from "./modern";

/** Address of the worker's code for this browser. */
export const workerAddress = isModern() ? modernWorker : legacyWorker;

/** Web worker of pdf.js. */
interface PdfWorker {
  readonly worker: Worker;
  /** Resolves when its code has been loaded and runs. */
  readonly started: Promise<void>;
}

let spare: PdfWorker | undefined;

/**
 * Returns the worker that `preloadWorker` has started, or starts one. A module of its own, so that
 * the worker's code loads in parallel with the rest instead of after it.
 */
export function acquireWorker(): PdfWorker {
  const thread = spare ?? start();
  spare = undefined;
  return thread;
}

/** Starts a worker for a PDF that is about to be shown. */
export function preloadWorker(): void {
  if (spare) return;
  const thread = start();
  spare = thread;
  // A worker that could not be loaded would never report that to a later caller.
  thread.worker.addEventListener("error", () => {
    if (spare === thread) spare = undefined;
  });
}

function start(): PdfWorker {
  const worker = new Worker(workerAddress, { type: "module", name: "pdf" });
  const started = new Promise<void>((resolve) => {
    // pdf.js sends a message as soon as it runs.
    worker.addEventListener("message", () => resolve(), { once: true });
  });
  return { worker, started };
}
