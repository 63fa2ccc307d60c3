/** Texts of the recipient flow (docs/rules.md#ui-sharing). */
export const messages = {
  verifyingAccess: "Verifying access...",
  loadingDocument: "Loading document...",
  encrypting: "Encrypting your agreement...",
  denied: "The link you're trying to access is invalid or has expired.",
  acceptedBefore: "Did you accept an agreement here before?",
  seeDocuments: "See your documents.",
  collectFailed: "Failed to submit your information. Please try again.",
  codeMalformed: "Please enter the 6 digits of the code",
  codeSpent: "This code no longer works. Please request a new one.",
  verifyFailed: "Failed to check the code. Please try again.",
  sendFailed: "Failed to send a new code. Please try again.",
  agreeUnanswered:
    "The connection broke before we could tell you that your agreement is recorded. Please agree again: it is recorded only once.",
  agreeFailed: "Failed to record your agreement. Please try again.",
  untranslated: "The agreement is not translated: these are the words that you accept.",
  declineQuestion: "Are you sure you want to decline? You will not be able to view the document.",
  declined: { title: "Agreement Declined", description: "The session will now end." },
  downloadStarted: { title: "Download Started" },
  downloadFailed: "Failed to download document. Please try again.",
  previewTitle: "Preview",
  preview:
    "This is what the readers of this link see, but for what is theirs alone. Nothing is sent or recorded here.",
  previewMissing: "This link does not exist, or it belongs to somebody else.",
  previewFailed: "Failed to load the preview. Please try again.",
  commentsInPreview: "Here your readers ask, and you answer.",
  downloads: {
  declineReason: "Why do you decline? (optional)",
  declineReasonHint: "Whoever shared the document sees it beside your name.",
    menu: "Downloads",
  viewLasts: (window: string) =>
    `The document stays open for ${window} once you have opened it, and no longer than the link.`,
  viewEndsSoon: (at: string) =>
    `This view ends at ${at}. Please finish reading, and send your comment before.`,
    document: "This document",
    agreement: "The agreement",
    receipt: "Your receipt",
    evidence: "Evidence",
  },
  downloadOff: "The owner does not allow downloads.",
} as const;
