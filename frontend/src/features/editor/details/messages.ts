/** Texts of the panel under the editor. */
export const messages = {
  title: "Idea details",
  copyFailed: "The fingerprint could not be copied. Select it and copy it by hand.",
  revisions: {
    title: "Version history",
    failed: "The versions could not be loaded.",
    empty: "No versions yet",
    gone: "Its text is no longer kept. Of older versions, only one per hour, day or week is.",
    openFailed: "This version could not be loaded.",
    alone: "There is no other version to compare with.",
    restoreQuestion:
      "This replaces the title and text in the editor and saves them as a new version. You can undo this in the editor.",
  },
  shares: {
    title: "Links",
    failed: "The links could not be loaded.",
    empty: "No links yet",
  },
  recipients: {
    title: "Readers",
    empty: "Nobody has opened a link yet",
  },
  agreements: {
    title: "Accepted agreements",
    empty: "Nobody has accepted the agreement yet",
  },
  views: {
    title: "Views",
    empty: "Nobody has opened the idea yet",
  },
  activityFailed: "The activity could not be loaded.",
  comments: {
    title: "Comments",
    failed: "The comments could not be loaded.",
  },
} as const;
