import type { EventKind } from "@/api/generated";
import type { Topic } from "@/verify/report";

/** Texts of the result, which the page does not need before a file is chosen. */
export const messages = {
  verdict: {
    checking: "Checking…",
    checkedSoFar: (count: number) => `${count.toLocaleString("en")} claims so far`,
    invalid: "This file is not valid",
    invalidText: (count: number) =>
      `${count === 1 ? "One claim is" : `${count.toLocaleString("en")} claims are`} false. What is false is named below. Do not rely on this file.`,
    valid: "Everything that can be checked here holds",
    validText: (count: number) =>
      `${count.toLocaleString("en")} claims were checked, and none is false.`,
    open: "What remains open:",
    openKey: "whether the key is the operator's: nobody but you can say",
    openOlderKey: "whether the older log is the operator's: the newest one does not confirm it",
    openClock:
      "whether the times of the events are right: the clock of this computer, or that of the server, is wrong",
    openTime: "whether third parties confirm the time: the commands below decide it",
    ownTime: "the time: nobody but the server that made this file vouches for it",
    refused: "This file cannot be checked",
    openPages:
      "whether the pages of the PDF say the same: they are not checked, and only what stands below counts",
    documentTime:
      "who besides the server confirms the time: a document does not hold their answers, an evidence bundle does",
    refusedHint: "Choose the file as it was downloaded.",
  },
  shows: {
    title: "What this file shows",
    idea: (number: string) => `Idea ${number}`,
    by: (name: string) => `by ${name}`,
    log: "Log",
    size: (size: number) => `${size.toLocaleString("en")} events when this file was made`,
    key: "Key",
    keyHint: "Nobody but you can say whether this is the operator's key.",
    report:
      "The report tells the same in sentences, to keep or to print. Only one that was saved here, or made by verify.py, counts.",
    saveReport: "Save the report",
    events: "Events",
    utc: "In the order of the log. All times are UTC. “No.” is the place in the log.",
    place: (place: number, log: string | null) =>
      `${log === null ? "" : `${log}, `}No. ${place.toLocaleString("en")}`,
    version: (number: string) => `, version ${number} of the idea`,
    undelivered: ", without a record that its text was delivered",
    unvouched: (log: string) => `What this file has of ${log}`,
    unvouchedHint:
      "Nothing else vouches for this: the log above goes on from another state of that log. Its operator may have restored an older database, or somebody may have made this up.",
    all: (count: number) => `Show all ${count.toLocaleString("en")} events`,
    aReader: "A reader",
  },
  topics: {
    files: [
      "The file is complete and unchanged",
      "Each part is the one that is listed. Of a PDF, only the files inside are looked at.",
    ],
    signature: [
      "The log has signed this",
      "The log's key signed the state of the log that all events below belong to.",
    ],
    key: ["The key is the operator's", "A signature is worth as much as the key behind it."],
    event: [
      "The events fit each other",
      "All are of one idea and in the order of time, and no agreement was accepted before it was delivered or after the idea was opened.",
    ],
    place: [
      "Each event is in the log, at its place",
      "A proof leads from the event to the signed state. No event can be added, removed or changed later without breaking it.",
    ],
    consistency: [
      "The log has only grown",
      "What it held at earlier times, it still holds, unchanged and in the same order.",
    ],
    disclosure: [
      "Names and facts are the recorded ones",
      "Each event names its facts by their SHA-256 fingerprints. They are these facts and no others.",
    ],
    content: [
      "The content is the recorded one",
      "Letter for letter, including every picture and file.",
    ],
    terms: [
      "The agreements are the recorded ones",
      "Each text is exactly the one that was accepted.",
    ],
    authority: [
      "An outside authority confirms the time",
      "A time-stamping authority has signed when the log had this state.",
    ],
    witness: [
      "A witness of the log confirms the time",
      "Somebody who watches the log has signed when it had this state, and that it has only grown.",
    ],
    bitcoin: [
      "Bitcoin confirms the time",
      "The state of the log is contained in a block of the Bitcoin blockchain.",
    ],
  } satisfies Readonly<Record<Topic, readonly [string, string]>>,
  /** Meaning of a false claim on the topic. */
  meanings: {
    files: "Something in this file was changed, added or removed after it was made.",
    signature:
      "The log has not signed this. The file was changed, or was never made by the server that it names.",
    key: "The file is not signed with the key that you gave.",
    event: "The events contradict each other, so at least one of them was not recorded like this.",
    place: "At least one event is not in the log, or not where this file says.",
    consistency: "The log was rewritten: something that it held at an earlier time is gone.",
    disclosure: "At least one name or fact in this file is not the recorded one.",
    content: "At least one text, picture or file in here is not what was recorded.",
    terms: "At least one agreement in here is not the text that was accepted.",
    authority: "The confirmation does not belong to this log.",
    witness: "The confirmation does not belong to this log.",
    bitcoin: "The confirmation does not belong to this log.",
  } satisfies Readonly<Record<Topic, string>>,
  events: {
    "log.started": "The log began",
    "log.resumed": "The log was continued after it had stopped",
    "key.rotated": "The log got a new key",
    "revision.recorded": "A version was put on record",
    "idea.published": "The idea was published",
    "idea.deleted": "The draft was deleted",
    "share.created": "A link was created",
    "share.revoked": "A link was revoked",
    "agreement.offered": "An agreement was drawn up",
    "agreement.delivered": "The text of the agreement was delivered",
    "agreement.accepted": "The agreement was accepted",
    "agreement.declined": "The agreement was declined",
    "agreement.issued": "The agreement was accepted on the owner's side",
    "access.requested": "A reader asked to read the document",
    "access.approved": "A reader was let in to read",
    "access.refused": "The request of a reader was declined",
    "email.confirmed": "The email address was confirmed",
    "view.started": "The idea was opened",
    "visit.closed": "The document was closed",
    "file.delivered": "A file was delivered",
    "comment.added": "A comment was added",
    "comment.changed": "A comment was changed",
    "comment.withdrawn": "A comment was withdrawn",
    "person.erased": "Personal details were erased",
  } satisfies Readonly<Record<EventKind, string>> as Readonly<Record<string, string>>,
  claims: {
    title: "Claim by claim",
    checked: (count: number) => `${count.toLocaleString("en")} checked`,
    failed: (count: number) => `${count.toLocaleString("en")} false`,
    open: (count: number) => `${count.toLocaleString("en")} open`,
    holds: "Holds",
    fails: "Fails",
    unknown: "Cannot be known here",
    none: "None in this file",
    waiting: "Not checked yet",
    lines: "Show each claim",
    alike: (count: number) =>
      `and ${count.toLocaleString("en")} more like the last one. Each decides for its own file.`,
    more: (count: number) => `and ${count.toLocaleString("en")} more that hold`,
  },
} as const;
