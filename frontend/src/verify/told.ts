/**
 * Compares events with what they disclose: the version of the format follows from both, and what an
 * owner accepts is a text that binds both sides, for the reader who accepted that text.
 */
import type { Json } from "./canonical";
import type { Facts } from "./contents";
import { isExtended } from "./disclosure";
import { EXTENDED, type LogEvent, sinceOf } from "./event";
import type { Log } from "./log";
import { messages } from "./messages";
import { type DisclosedFacts, told } from "./names";
import type { Verifier } from "./verifier";

/** What is known of the text that a reader was offered last; what is left out is undefined. */
interface Offered {
  /** By which link. */
  readonly share: string | undefined;
  /** Its agreement. */
  readonly agreement: Facts | undefined;
  /** SHA-256 of the exact text. */
  readonly terms: Json | undefined;
  /** Whether the owner accepted it for this reader. */
  isSigned: boolean;
}

/** Checks all logs, from the oldest one to the newest one. */
export function verifyTold(verifier: Verifier, logs: readonly Log[], facts: DisclosedFacts): void {
  const readers = new Map<string, Offered>();
  // What the owner accepted towards all readers of a link.
  const issued = new Map<string | undefined, Json | undefined>();
  for (const { path, event } of logs.flatMap((log) => [...log.events.values()])) {
    const { type, share, recipient: reader, discloses } = event;
    const fact = (name: string) => told(facts, event, name);
    const fails = (problem: string) => verifier.fails("event", path, problem);
    if (!hasItsVersion(event, fact)) fails(messages.told.version);
    const agreement = fact("agreement");
    const terms = fact("terms")?.sha256;
    const isSigned = Object.hasOwn(discloses, "signatory");
    if (type === "agreement.issued") issued.set(share, agreement?.sha256);
    if (reader === undefined) {
      if (isSigned && isOneWay(agreement)) fails(messages.told.notMutual);
      continue;
    }
    if (Object.hasOwn(discloses, "agreement")) {
      const former = readers.get(reader);
      const known = former && !differ(former.terms, terms) ? former : undefined;
      readers.set(reader, {
        share,
        agreement: agreement ?? known?.agreement,
        terms: terms ?? known?.terms,
        isSigned: known?.isSigned ?? false,
      });
    }
    const offered = readers.get(reader);
    if (isSigned) {
      if (!offered || isOneWay(offered.agreement)) fails(messages.told.notMutual);
      if (offered && differ(offered.terms, terms)) fails(messages.told.otherText);
      if (offered) offered.isSigned = true;
    }
    if (type !== "view.started" || offered?.agreement?.kind !== "mutual") continue;
    const isIssued =
      issued.has(offered.share) && !differ(issued.get(offered.share), offered.agreement.sha256);
    if (!offered.isSigned && !isIssued) fails(messages.told.notSigned);
  }
}

const isOneWay = (agreement: Facts | undefined): boolean =>
  agreement !== undefined && agreement.kind !== "mutual";

/** Whether two digests are known and differ. */
const differ = (one: Json | undefined, other: Json | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other;

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
