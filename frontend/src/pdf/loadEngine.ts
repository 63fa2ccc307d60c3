import { startThread } from "./worker";

/** Fetches pdf.js, which nobody needs before there is a PDF to show. */
export const loadEngine = () => import("./engine");

/** Gets everything under way for a PDF that is about to be shown, and starts its thread. */
export const preloadEngine = () => {
  startThread();
  loadEngine().catch(() => undefined);
};
