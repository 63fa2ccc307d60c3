/** Texts of the panel under the editor. The specification names the panel, not its content. */
export const messages = {
  title: "Idea details",
  copyFailed: "The hash could not be copied. Select it and copy it by hand.",
  revisions: {
    title: "Revision history",
    failed: "The revisions could not be loaded.",
    empty: "No revisions yet",
  },
  shares: {
    title: "Share links",
    failed: "The share links could not be loaded.",
    empty: "No share links yet",
  },
  recipients: {
    title: "Recipients",
    empty: "Nobody has opened a link yet",
  },
  agreements: {
    title: "NDA acceptances",
    empty: "Nobody has agreed to the NDA yet",
  },
  views: {
    title: "Views",
    empty: "Nobody has viewed the idea yet",
  },
  activityFailed: "The activity could not be loaded.",
  comments: {
    title: "Comments",
    failed: "The comments could not be loaded.",
  },
} as const;
