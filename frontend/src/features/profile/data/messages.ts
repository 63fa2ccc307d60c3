/** Texts about the export and the deletion of an account (docs/rules.md#ui-account). */
export const messages = {
  export: {
    about:
      "One ZIP file with every kept version of your ideas, and your files, links, activity, comments, events and evidence bundles. You can read it without IdeaVault.",
    button: "Export everything",
    preparing: "Collecting your data…",
    running: (received: string, total: string | null) =>
      total === null ? `${received} received` : `${received} of ${total}`,
    cancel: "Cancel export",
    done: "Your data was exported.",
    failed: "The export failed. Please try again.",
    retry: "Try again",
  },
  deletion: {
    about: "Deletes your ideas, files and links for good. First export what you want to keep.",
    button: "Delete account",
    title: "Delete your account?",
    goes: "What is deleted",
    goesText:
      "Your name, address and password; your drafts, files and photo; the content of your published ideas; all comments on your ideas. This cannot be undone.",
    stays: "What stays as evidence",
    staysText:
      "That something was recorded, published or accepted, and when: proofs in the log of this vault, without content and without your name. Backups keep older copies until they are deleted.",
    others: "What others keep",
    othersText:
      "Your links end at once. Agreements and evidence that readers have saved stay valid and can still be checked, but this vault can no longer show them the text.",
    password: "Your password",
    code: "Code from your authenticator app",
    codeHint: "Or a recovery code.",
    confirm: "Delete for good",
    keep: "Keep my account",
    deleted: "Your account is deleted.",
    failed: "Your account could not be deleted. Please try again.",
    unanswered:
      "The connection was lost, so your account may already have been deleted. Please reload the page: if you are signed out, it has been.",
  },
} as const;
