/**
 * The largest PDF that the vault accepts, in bytes. The server writes it into every page; the
 * development server leaves a placeholder.
 */
export const maxPdfBytes = (): number =>
  (typeof document !== "undefined" && Number(document.documentElement.dataset.pdfBytes)) ||
  10 * 1024 * 1024;
