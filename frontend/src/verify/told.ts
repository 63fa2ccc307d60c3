/**
 * Compares events with what they disclose: the version of the format follows from both, and what an
 * owner accepts is a text that binds both sides, for the reader who accepted that text.
 */
import type { Facts } from "./contents";
import { isExtended } from "./disclosure";
import { EXTENDED, type LogEvent, sinceOf } from "./event";
import type { Log } from "./log";
import { messages } from "./messages";
import { type DisclosedFacts, told } from "./names";
import type { Verifier } from "./verifier";

/** What is known of the text that a reader was offered last. */
interface Offered {
  /** Whether it binds both sides; undefined if its disclosure is left out. */
  readonly isMutual: boolean | undefined;
  /** SHA-256 of the exact text. */
  readonly terms: unknown;
}

const NEVER: Offered = { isMutual: false, terms: undefined };

/** Checks all logs, from the oldest one to the newest one. */
export function verifyTold(verifier: Verifier, logs: readonly Log[], facts: DisclosedFacts): void {
  const readers = new Map<string, Offered>();
  // Links whose text the owner accepted towards all readers, and readers for whom it did.
  const issued = new Set<string | undefined>();
  const signed = new Set<string>();
  for (const { path, event } of logs.flatMap((log) => [...log.events.values()])) {
    const { type, share, recipient: reader, discloses } = event;
    const fact = (name: string) => told(facts, event, name);
    const fails = (problem: string) => verifier.fails("event", path, problem);
    if (!hasItsVersion(event, fact)) fails(messages.told.version);
    const agreement = fact("agreement");
    const isMutual = agreement && agreement.kind === "mutual";
    const terms = fact("terms")?.sha256;
    const isSigned = Object.hasOwn(discloses, "signatory");
    if (type === "agreement.issued") issued.add(share);
    if (reader === undefined) {
      if (isSigned && isMutual === false) fails(messages.told.notMutual);
      continue;
    }
    if (Object.hasOwn(discloses, "agreement")) readers.set(reader, { isMutual, terms });
    const offered = readers.get(reader) ?? NEVER;
    if (isSigned) {
      signed.add(reader);
      if (offered.isMutual === false) fails(messages.told.notMutual);
      const isOther = offered.terms !== undefined && offered.terms !== terms;
      if (terms !== undefined && isOther) fails(messages.told.otherText);
    }
    const isAccepted = signed.has(reader) || issued.has(share);
    if (type === "view.started" && offered.isMutual && !isAccepted) {
      fails(messages.told.notSigned);
    }
  }
}

/** Whether the version of an event is the first one that has all of it. */
export function hasItsVersion(
  { v, type, mark, discloses }: LogEvent,
  fact: (name: string) => Facts | undefined,
): boolean {
  const names = Object.keys(discloses);
  const known = EXTENDED.filter((name) => names.includes(name)).map(fact);
  const isLater = known.some((facts) => facts !== undefined && isExtended(facts));
  const since = isLater ? 2 : sinceOf(type, mark, names);
  // What is left out may have what the version stands for.
  return v === since || (v > since && known.includes(undefined));
}
