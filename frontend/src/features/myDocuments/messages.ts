/** Texts (docs/rules.md#ui-my-documents). */
export const messages = {
  title: "Your documents",
  intro:
    "Did you accept an agreement in this vault? Enter the email address that you confirmed there. We will send a link to the list of what you were shown, with your agreements and receipts.",
  ask: "Email me a link",
  network: "Network error. Please try again.",
  failed: "That did not work. Please try again.",
  sent: {
    title: "Check your email",
    nothing:
      "Nothing there? Check your spam folder, or try another address. Only an address that you confirmed with an emailed code gets a link.",
    again: "Try another address",
  },
  open: {
    intro:
      "Press the button to see what was shown to you in this vault. The list stays open in this browser for 30 minutes.",
    button: "Show my documents",
    cookies:
      "Your browser does not keep this site's cookies, so the list cannot be shown. Please allow cookies for this site, then press the button again.",
  },
  dead: {
    title: "This link no longer works",
    text: "Each link works once, within 30 minutes. Please ask for another one.",
    button: "Ask for another link",
  },
  done: {
    title: "The list is closed",
    text: "To see your documents again, please ask for another link.",
  },
  list: {
    shownTo: "Shown to",
    empty: "There is nothing to show",
    emptyHint: "What was shown to this address has been erased.",
    more: "Only the newest 500 are listed.",
    erasedTitle: "Erased agreement",
    erased:
      "This agreement was erased together with a person whom it names. That you accepted it stays on record.",
    sharer: "Shown by",
    documentId: "Document ID",
    agreed: "Agreed",
    opened: "Opened",
    never: "Never",
    first: "First",
    last: "Last",
    versions: "Versions",
    link: "Link",
    ended: "Has ended",
    notEnded: "Has not ended. It may still not let you in again.",
    receipt: "Receipt",
    agreement: "Agreement",
    closes: "The list closes by itself after 30 minutes. On a shared computer, close it now.",
    done: "I am done",
  },
} as const;
