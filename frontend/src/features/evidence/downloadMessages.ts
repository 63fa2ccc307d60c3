/** Texts of the download of evidence, which recipients load without the rest. */
export const messages = {
  button: "Download evidence",
  preparing: "Preparing the evidence…",
  running: (received: string, total: string | null) =>
    total === null ? `${received} received` : `${received} of ${total}`,
  cancel: "Cancel download",
  done: "Evidence downloaded.",
  failed: "The evidence could not be downloaded. Please try again.",
} as const;
