/** Texts of the share screen (docs/rules.md#ui-sharing). */
export const messages = {
  title: "Share your idea",
  created: "Share link created successfully!",
  invited: "Invitation sent.",
  ready: {
    title: "Share Link Ready",
    description: "Send the link to the people you want to share your idea with.",
  },
  dateIncomplete: "Enter both a date and a time",
  viewsNotNumber: "Enter a whole number of 1 or more",
  createFailed: "Failed to create share link. Please try again.",
  copied: { title: "Copied", description: "Share link copied to clipboard!" },
  copyFailed: "The link could not be copied. Select it and copy it by hand.",
  revoked: "Share link revoked.",
  revokeFailed: "Failed to revoke share link. Please try again.",
  renameFailed: "The name could not be saved. Please try again.",
  changeFailed: "The link could not be changed. Please try again.",
  notificationsFailed: "That could not be saved. Please try again.",
  ideaMissing: "Idea not found",
  sharesFailed: "The share links could not be loaded.",
  activityFailed: "The activity could not be loaded.",
  commentsFailed: "The comments could not be loaded.",
  erasure: {
    button: "Erase this person",
    title: (name: string) => `Erase ${name}?`,
    what: (email: string) =>
      `This removes who opened your ideas as ${email}: name, addresses, phone number and browser, the name at comments, the texts of agreements, and mails that wait. Open visits end, and so do links for this address only.`,
    stays: "What stays",
    staysText:
      "That somebody accepted, read or commented, which version, and when: provable, but no longer who. Comments keep their text.",
    cannot: "What cannot be erased",
    cannotText:
      "Evidence bundles and exports that were downloaded, mails that were sent, and backups of this vault.",
    keep: "Keep accepted agreements",
    keepHint: "Their texts keep the name and the address. Only where the law asks for it.",
    confirm: "Erase for good",
    done: "The person is erased.",
    failed: "The person could not be erased. Please try again.",
    erased: "Details erased",
  },
} as const;
