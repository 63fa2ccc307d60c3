import workerAddress from "pdfjs-dist/legacy/build/pdf.worker.min.mjs?url";

/**
 * Starts the thread that reads PDFs. It is a module of its own, so that the worker's code can
 * travel beside the rest instead of after it.
 */
export const startWorker = () => new Worker(workerAddress, { type: "module", name: "pdf" });
