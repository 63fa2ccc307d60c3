import { isModern } from "./modern";
import { preloadWorker } from "./worker";

/** Loads pdf.js, which is needed only when there is a PDF to show. */
export const loadEngine = async () => {
  // Before the engine runs, and for its side effects alone.
  if (!isModern()) await import("pdfjs-dist/legacy/build/pdf.mjs");
  return import("./engine");
};

/** Starts loading pdf.js and its worker for a PDF that is about to be shown. */
export const preloadEngine = () => {
  preloadWorker();
  loadEngine().catch(() => undefined);
};
