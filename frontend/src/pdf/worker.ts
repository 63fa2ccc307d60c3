import workerAddress from "pdf-worker?url";

/** The thread that reads PDFs. */
export interface PdfThread {
  readonly worker: Worker;
  /** When its code has come and runs. */
  readonly started: Promise<void>;
}

let spare: PdfThread | undefined;

/**
 * Starts the thread that reads PDFs, or takes the one that has been started ahead. It is a module
 * of its own, so that the worker's code can travel beside the rest instead of after it.
 */
export function takeThread(): PdfThread {
  const thread = spare ?? start();
  spare = undefined;
  return thread;
}

/** Starts a thread for a PDF that is about to be shown. */
export function startThread(): void {
  if (spare) return;
  const thread = start();
  spare = thread;
  // One that could not be loaded would say so to nobody who takes it later.
  thread.worker.addEventListener("error", () => {
    if (spare === thread) spare = undefined;
  });
}

function start(): PdfThread {
  const worker = new Worker(workerAddress, { type: "module", name: "pdf" });
  const started = new Promise<void>((resolve) => {
    // pdf.js greets as soon as it runs.
    worker.addEventListener("message", () => resolve(), { once: true });
  });
  return { worker, started };
}
