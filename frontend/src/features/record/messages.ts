/** Texts of the page of a public record. */
export const messages = {
  title: "Public record",
  loading: "Loading the record...",
  lead: "What this server has on record of one document. Its title, its content and its author are not shown.",
  missing: "There is no such record",
  missingHint:
    "Check the number, or ask whoever gave it to you whether the record is still public.",
  failed: "The record could not be loaded.",
  facts: {
    document: "Document ID",
    published: "Fixed on",
    digest: "SHA-256 fingerprint of its exact content",
    place: "Place in the log",
    noPlace: "None yet",
    time: "Who vouches for the time",
  },
  place: (index: number, log: string) => `No. ${index.toLocaleString("en")} of ${log}`,
  state: {
    recorded: "Recorded by this server. Nobody else has confirmed the time.",
    noWitness:
      "Recorded by this server. No outside witness is set up on this vault, so nobody else confirms the time.",
    submitted: "Recorded by this server. A confirmation by others is under way.",
    stopped: "Recorded by this server, which has stopped recording. Ask its operator why.",
  },
  confirmed: (name: string, time: string) => `Confirmed by ${name} at ${time}.`,
  block: (block: number, time: string) => `In Bitcoin block ${block}, at most ${time}.`,
  compare: {
    title: "Do you have the document?",
    hint: "Drop it here, or choose it: a PDF, or the page that you downloaded as a reader. It is compared here, in your browser, and never uploaded.",
    label: "Document to compare",
    choose: "Choose a file",
    same: "This is the document on record, byte for byte.",
    sameText: "It has not changed since the time above.",
    holds: "This page holds the text on record, byte for byte.",
    holdsText:
      "What the page shows around it, such as who downloaded it, is not on record, and somebody may have changed what it shows. Pictures are not compared here: an evidence bundle has their SHA-256 fingerprints. If a lot depends on it, save the recorded text by itself, and compare it with what you read.",
    save: "Save the recorded text",
    other: "This is another file than the one on record.",
    otherText:
      "That need not mean anything bad: printing, converting or saving a document anew makes another file of it, and so does each newer version. Compare the file as it was downloaded.",
    unreadable: "The file could not be read. Please choose it again.",
    tooLarge:
      "The file is too large to be compared here. Compute its SHA-256 fingerprint with sha256sum.",
  },
  proves: {
    title: "What this proves",
    yes: "A document with the SHA-256 fingerprint above is the one on record, unchanged since that time.",
    no: "It does not say who wrote the document, whether it is new or whether it works. This page is a convenience: an evidence bundle proves all of it without this server.",
    check: "Check an evidence bundle",
  },
} as const;
