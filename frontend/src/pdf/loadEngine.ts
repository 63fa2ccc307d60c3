import { preloadWorker } from "./worker";

/** Loads pdf.js, which is needed only when there is a PDF to show. */
export const loadEngine = () => import("./engine");

/** Starts loading pdf.js and its worker for a PDF that is about to be shown. */
export const preloadEngine = () => {
  preloadWorker();
  loadEngine().catch(() => undefined);
};
