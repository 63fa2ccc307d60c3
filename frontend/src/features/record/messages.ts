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
    digest: "SHA-256 of its exact content",
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
  proves: {
    title: "What this proves",
    yes: "If you have the document, compute its SHA-256. If it equals the one above, your document is the one on record, unchanged since that time.",
    no: "It does not say who wrote the document, whether it is new or whether it works. This page is a convenience: an evidence bundle proves all of it without this server.",
    check: "Check an evidence bundle",
  },
} as const;
