import { preloadWorker } from "./worker";

/** Fetches pdf.js, which nobody needs before there is a PDF to show. */
export const loadEngine = () => import("./engine");

/** Fetches all of it ahead. A failure shows itself when it is really asked for. */
export const preloadEngine = () => {
  preloadWorker();
  loadEngine().catch(() => undefined);
};
