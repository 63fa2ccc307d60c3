import type { PdfProblem } from "./loading";

/** Texts around a PDF. */
export const messages = {
  openPdf: "Open PDF",
  openInNewTab: "Open in New Tab",
  downloadPdf: "Download PDF",
  loading: "Loading document...",
  slow: "This is taking longer than usual. Your connection may be slow or interrupted.",
  unavailable: "The file of this document is not available.",
  pageFailed: "This page cannot be shown.",
  tryAgain: "Try again",
  pictureFailed: "A picture on this page is damaged and cannot be shown.",
  noText: "This page contains no text that can be read aloud.",
  printing: "To print this PDF, choose Open PDF or Download PDF and print it from there.",
} as const;

/** Title and advice for each failure. */
export const problems: Record<PdfProblem, { title: string; advice: string }> = {
  corrupt: {
    title: "This PDF is damaged",
    advice:
      "The file is not a complete PDF, so it cannot be shown here. You can still open or download it; another program may be able to read it.",
  },
  locked: {
    title: "This PDF is protected with a password",
    advice:
      "It cannot be shown here. Open or download it and enter the password in your PDF program.",
  },
  empty: {
    title: "This PDF is empty",
    advice: "The file has no pages to show. You can still open or download it.",
  },
  stalled: {
    title: "This PDF is taking too long to open",
    advice: "The file may be damaged. Try again, or download it and open it in your PDF program.",
  },
  gone: {
    title: "This document is no longer open to you",
    advice: "This file is no longer available. The link may have been closed or may have expired.",
  },
  unreachable: {
    title: "The PDF could not be loaded",
    advice: "Check your connection, then try again.",
  },
};
