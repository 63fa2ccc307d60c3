/** Fetches pdf.js, which nobody needs before there is a PDF to show. */
export const loadEngine = () => import("./engine");

/** Fetches it ahead. A failure shows itself when it is really asked for. */
export const preloadEngine = () => {
  loadEngine().catch(() => undefined);
};
