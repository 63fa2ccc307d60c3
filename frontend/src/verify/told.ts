/**
 * Compares events with what they disclose: the version of the format follows from both, and an owner
 * only accepts what binds both sides.
 */
import { isExtended } from "./disclosure";
import { EXTENDED, sinceOf } from "./event";
import type { Log } from "./log";
import { messages } from "./messages";
import { type DisclosedFacts, told } from "./names";
import type { Verifier } from "./verifier";

/** Checks all logs, from the oldest one to the newest one. */
export function verifyTold(verifier: Verifier, logs: readonly Log[], facts: DisclosedFacts): void {
  // Whether the text that a reader was offered binds both sides.
  const bindsBoth = new Map<string, boolean>();
  for (const { path, event } of logs.flatMap((log) => [...log.events.values()])) {
    const { v, type, mark, recipient, discloses } = event;
    const names = Object.keys(discloses);
    const extended = EXTENDED.filter((name) => names.includes(name));
    const known = extended.map((name) => told(facts, event, name));
    const isLater = known.some((fact) => fact !== undefined && isExtended(fact));
    const since = isLater ? 2 : sinceOf(type, mark, names);
    // What is left out may have what the version stands for.
    if (v < since || (v > since && !known.includes(undefined))) {
      verifier.fails("event", path, messages.told.version);
    }
    const agreement = told(facts, event, "agreement");
    const isMutual = agreement && agreement.kind === "mutual";
    if (recipient !== undefined && isMutual !== undefined) bindsBoth.set(recipient, isMutual);
    const binds = isMutual ?? bindsBoth.get(recipient ?? "");
    if (names.includes("signatory") && binds === false) {
      verifier.fails("event", path, messages.told.notMutual);
    }
  }
}
