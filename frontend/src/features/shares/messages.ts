/** Texts of the share screen (docs/rules.md#ui-sharing). */
export const messages = {
  created: "Share link created successfully!",
  invited: "Invitation sent.",
  ready: {
    title: "Share Link Ready",
    description: "Send the link to the people you want to share your idea with.",
  },
  /** The agreement of every link. */
  agreement: "IdeaVault NDA",
  moreSettings: "More settings",
  groups: { agree: "What they agree to", may: "What they may do" },
  expiryHint: (zone: string) =>
    `In your time zone (${zone}). If left empty, the link expires in seven days.`,
  dateIncomplete: "Enter both a date and a time",
  viewsNotNumber: "Enter a whole number of 1 or more",
  createFailed: "Failed to create share link. Please try again.",
  copied: { title: "Copied", description: "Share link copied to clipboard!" },
  copyFailed: "The link could not be copied. Select it and copy it by hand.",
  search: "Search by name or address",
  found: (found: number, all: number) => `${found} of ${all} links`,
  noneFound: { title: "No link matches", hint: "Change your search, or show all links." },
  openViews: "Options for views that are still open",
  preview: "See it as a reader does",
  revoke: "Revoke this link",
  revoked: "Link revoked.",
  revokeFailed: "The link could not be revoked. Please try again.",
  viewLasts: (window: string) =>
    `Each view lasts ${window}. Within that time, opening the document again is not counted.`,
  texts: {
    name: {
      label: "Link name",
      hint: "Helps you tell your links apart. Nobody else sees it.",
      button: "Save name",
      saved: "Name saved.",
      failed: "The name could not be saved. Please try again.",
    },
    coverTitle: {
      label: "Cover title",
      hint: "Readers see it until they have accepted the agreement. If left empty, they see the idea’s title before that.",
      button: "Save title",
      saved: "Cover title saved.",
      failed: "The cover title could not be saved. Please try again.",
    },
  },
  changeFailed: "The link could not be changed. Please try again.",
  notificationsFailed: "That could not be saved. Please try again.",
  ideaMissing: "Idea not found",
  ideaFailed: "The idea could not be loaded. Please try again.",
  sharesFailed: "The links could not be loaded.",
  activityFailed: "The activity could not be loaded.",
  commentsFailed: "The comments could not be loaded.",
  erasure: {
    button: "Erase this person",
    erased: "Details erased",
  },
} as const;
