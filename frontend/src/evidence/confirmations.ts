import type { Evidence } from "@/api/evidence";
import type { EvidenceAnchor } from "@/api/generated";
import { formatUtc } from "@/ui/utcDates";
import { messages } from "./messages";

/** How well the newest recorded version is confirmed; decides what the seal looks like. */
export type EvidenceLevel = keyof typeof messages.level;

type State = Pick<Evidence, "state" | "index" | "onRecord" | "recordedAt" | "anchors">;

type StateInLog = State & Pick<Evidence, "log" | "hasWitnesses">;

/** Whether any version is on record, or waits for its place. */
const isRecorded = ({ index, onRecord, recordedAt }: State) =>
  onRecord || index !== null || recordedAt !== null;

const isConfirmed = ({ state }: EvidenceAnchor) => state === "confirmed";
const isUnderWay = ({ state }: EvidenceAnchor) =>
  state === "queued" || state === "submitted" || state === "pending";

/** Returns the level of an idea's evidence. */
export function levelOf(evidence: State): EvidenceLevel {
  if (evidence.state === "stopped") return "stopped";
  if (!isRecorded(evidence)) return "none";
  const confirmed = evidence.anchors.filter(isConfirmed);
  if (confirmed.some(({ kind, block }) => kind === "ots" && block !== null)) return "bitcoin";
  return confirmed.length > 0 ? "confirmed" : evidence.state;
}

/** One of those who vouch for the time, or may do so later. */
export interface Confirmation {
  step: "recorded" | "confirmed" | "bitcoin";
  state: "reached" | "waiting" | "open";
  title: string;
  /** Times or names that belong to it. */
  notes: readonly string[];
}

const words = messages.confirmations;

/** Returns the steps of confirmation: this server, then those outsiders who were asked. */
export function confirmationsOf(state: StateInLog): readonly Confirmation[] {
  const calendars = state.anchors.filter(({ kind }) => kind === "ots");
  const others = state.anchors.filter(({ kind }) => kind !== "ots");
  return [
    byThisServer(state),
    ...(state.anchors.length === 0 ? [byNobody(state)] : []),
    ...(others.length > 0 ? [byOutsiders(others)] : []),
    ...(calendars.length > 0 ? [byBitcoin(calendars)] : []),
  ];
}

function byNobody(evidence: StateInLog): Confirmation {
  const [title, note] = evidence.hasWitnesses
    ? [words.unconfirmed, isRecorded(evidence) ? words.soonNote : words.onceRecordedNote]
    : [words.noWitness, words.noWitnessNote];
  return { step: "confirmed", state: "open", title, notes: [note] };
}

function byThisServer(evidence: StateInLog): Confirmation {
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

function byOutsiders(anchors: readonly EvidenceAnchor[]): Confirmation {
  const step = "confirmed";
  const [first, ...more] = anchors.filter(isConfirmed).map(confirmedBy);
  if (first !== undefined) return { step, state: "reached", title: first, notes: more };
  const asked = anchors.filter(isUnderWay);
  if (asked.length > 0) {
    const notes = asked.map(({ name }) => words.askedNote(name));
    return { step, state: "waiting", title: words.confirming, notes };
  }
  const refused = anchors.map(({ name }) => words.refusedNote(name));
  return { step, state: "open", title: words.unconfirmed, notes: refused };
}

const confirmedBy = ({ name, time }: EvidenceAnchor) =>
  time === null ? messages.level.confirmed : words.confirmed(name, formatUtc(time));

function byBitcoin(anchors: readonly EvidenceAnchor[]): Confirmation {
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
  const promised = anchors.filter(({ state }) => state === "pending");
  if (promised.length > 0) {
    const names = promised.map(({ name }) => name).join(" and ");
    const notes = [words.bitcoinPendingNote(names)];
    return { step, state: "waiting", title: words.bitcoinPending, notes };
  }
  const asked = anchors.filter(isUnderWay);
  if (asked.length > 0) {
    const notes = asked.map(({ name }) => words.askedNote(name));
    return { step, state: "waiting", title: words.noBitcoin, notes };
  }
  const refused = anchors.map(({ name }) => words.refusedNote(name));
  return { step, state: "open", title: words.noBitcoin, notes: refused };
}
