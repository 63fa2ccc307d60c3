/** What readers do, in the words of each page that tells of it. Before them stands who. */
export const readerActs = {
  offered: "was offered the agreement",
  accepted: "accepted the agreement",
  declined: "declined the agreement",
  /** Which version, or else "the idea", follows. */
  opened: "opened",
  downloaded: "downloaded",
  closed: "closed the document",
} as const;
