import type { Evidence } from "@/api/evidence";
import type { EvidenceAnchor } from "@/api/generated";
import { formatUtc } from "@/ui/utcDates";
import { messages } from "./messages";

/** How far the newest recorded version has come. */
export type Reached = keyof typeof messages.reached;

type State = Pick<Evidence, "state" | "index" | "onRecord" | "recordedAt" | "anchors">;

type StateInLog = State & Pick<Evidence, "log">;

/** Whether any version is on record, or waits for its place. */
const isRecorded = ({ index, onRecord, recordedAt }: State) =>
  onRecord || index !== null || recordedAt !== null;

const isConfirmed = ({ state }: EvidenceAnchor) => state === "confirmed";
const isUnderWay = ({ state }: EvidenceAnchor) =>
  state === "queued" || state === "submitted" || state === "pending";

/** Returns how far the evidence has come. */
export function reachedOf(evidence: State): Reached {
  if (evidence.state === "stopped") return "stopped";
  if (!isRecorded(evidence)) return "none";
  const confirmed = evidence.anchors.filter(isConfirmed);
  if (confirmed.some(({ kind, block }) => kind === "ots" && block !== null)) return "bitcoin";
  return confirmed.length > 0 ? "confirmed" : evidence.state;
}

/** One step of the ladder. */
export interface Rung {
  step: "recorded" | "confirmed" | "bitcoin";
  state: "reached" | "waiting" | "open";
  title: string;
  /** Times or names that belong to it. */
  notes: readonly string[];
}

const words = messages.ladder;

/** Returns the three steps: this server, others, Bitcoin. */
export const rungsOf = (state: StateInLog): readonly Rung[] => [
  recordedRung(state),
  confirmedRung(
    state.anchors.filter(({ kind }) => kind !== "ots"),
    isRecorded(state),
  ),
  bitcoinRung(state.anchors.filter(({ kind }) => kind === "ots")),
];

function recordedRung(evidence: StateInLog): Rung {
  const { state, log, index, recordedAt } = evidence;
  const step = "recorded";
  if (!isRecorded(evidence)) {
    return { step, state: "open", title: words.notRecorded, notes: [words.notRecordedNote] };
  }
  const isWaiting = index === null && state !== "stopped";
  const place = index === null ? words.waitingNote : words.place(index, log?.origin);
  return {
    step,
    state: isWaiting ? "waiting" : "reached",
    title: words.recorded,
    notes: recordedAt === null ? [place] : [formatUtc(recordedAt), place],
  };
}

function confirmedRung(anchors: readonly EvidenceAnchor[], isOnRecord: boolean): Rung {
  const step = "confirmed";
  const [first, ...more] = anchors.filter(isConfirmed).map(confirmation);
  if (first !== undefined) return { step, state: "reached", title: first, notes: more };
  const asked = anchors.filter(isUnderWay);
  if (asked.length > 0) {
    const notes = asked.map(({ name }) => words.askedNote(name));
    return { step, state: "waiting", title: words.confirming, notes };
  }
  const refused = anchors.map(({ name }) => words.refusedNote(name));
  return {
    step,
    state: "open",
    title: words.unconfirmed,
    notes: isOnRecord ? [...refused, words.unconfirmedNote] : refused,
  };
}

const confirmation = ({ name, time }: EvidenceAnchor) =>
  time === null ? messages.reached.confirmed : words.confirmed(name, formatUtc(time));

function bitcoinRung(anchors: readonly EvidenceAnchor[]): Rung {
  const step = "bitcoin";
  const [earliest] = anchors
    .flatMap(({ block, time, ...anchor }) =>
      isConfirmed({ block, time, ...anchor }) && block !== null ? [{ block, time }] : [],
    )
    .sort((one, other) => one.block - other.block);
  if (earliest) {
    const title = words.bitcoin(earliest.block, earliest.time && formatUtc(earliest.time));
    return { step, state: "reached", title, notes: [] };
  }
  const reported = anchors
    .flatMap(({ name, block }) => (block === null ? [] : [{ name, block }]))
    .sort((one, other) => one.block - other.block);
  if (reported[0]) {
    const notes = reported.map(({ name, block }) => words.bitcoinReportedNote(name, block));
    return { step, state: "waiting", title: words.bitcoinReported, notes };
  }
  const asked = anchors.filter(isUnderWay);
  if (asked.length > 0) {
    const names = asked.map(({ name }) => name).join(" and ");
    const notes = [words.bitcoinPendingNote(names)];
    return { step, state: "waiting", title: words.bitcoinPending, notes };
  }
  const refused = anchors.map(({ name }) => words.refusedNote(name));
  return { step, state: "open", title: words.noBitcoin, notes: refused };
}
