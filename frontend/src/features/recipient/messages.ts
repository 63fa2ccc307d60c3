/** Texts of spec sections 2, 4 and 8. */
export const messages = {
  verifyingAccess: "Verifying access...",
  loadingDocument: "Loading document...",
  encrypting: "Encrypting your agreement...",
  denied: "The link you're trying to access is invalid or has expired.",
  collectFailed: "Failed to submit your information. Please try again.",
  agreeFailed: "Failed to record your agreement. Please try again.",
  declineQuestion: "Are you sure you want to decline? You will not be able to view the document.",
  declined: { title: "Agreement Declined", description: "The session will now end." },
  downloadStarted: { title: "Download Started" },
} as const;
