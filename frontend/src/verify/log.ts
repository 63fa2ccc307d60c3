/** The log: its checkpoint, its keys, its events and how it grew. */
import { bytesOf, sameBytes, textOf, toHex } from "./bytes";
import {
  type Checkpoint,
  isSameHead,
  parseCheckpoint,
  parseKey,
  pemOf,
  signatureBy,
  type VerifierKey,
} from "./checkpoint";
import { beginsLog, keyOf, type LogEvent, parseEvent } from "./event";
import { sha256 } from "./hash";
import { isExtension, isIncluded } from "./merkle";
import { commands, messages } from "./messages";
import { parseHashes, parseProof } from "./proof";
import type { Verifier } from "./verifier";

/** How far clocks may differ, in milliseconds. */
export const CLOCK_SLACK = 5 * 60 * 1000;

/** An event of the bundle. */
export interface Recorded {
  readonly path: string;
  readonly event: LogEvent;
  /** SHA-256 of its bytes. */
  readonly digest: string;
}

/** Facts about a log. */
export interface Log {
  /** Folder in the bundle, with a slash at its end, or empty. */
  readonly prefix: string;
  readonly checkpoint: Checkpoint;
  readonly key: VerifierKey;
  /** Events by place, in order. */
  readonly events: ReadonlyMap<number, Recorded>;
  /** Checkpoints by size that the checkpoint extends, itself included. */
  readonly heads: Map<number, Checkpoint>;
}

export async function verifyLog(verifier: Verifier, prefix: string): Promise<Log | null> {
  const signed = await verifySignature(verifier, prefix);
  if (!signed) return null;
  const { checkpoint, key } = signed;
  const events = await verifyEvents(verifier, prefix, checkpoint);
  const heads = new Map([[checkpoint.size, checkpoint]]);
  const log = { prefix, checkpoint, key, events, heads };
  verifyOrder(verifier, log);
  await verifyHeads(verifier, log);
  await verifyKeys(verifier, log);
  return log;
}

async function verifySignature(verifier: Verifier, prefix: string) {
  const path = `${prefix}log/checkpoint`;
  const bytes = await verifier.read("signature", path);
  const checkpoint = bytes && parseCheckpoint(bytes);
  if (checkpoint && prefix !== "" && !checkpoint.origin.endsWith(`/${prefix.slice(0, -1)}`)) {
    verifier.fails("signature", path, messages.checkpoint.folder);
  }
  const keyBytes = await verifier.read("signature", `${prefix}log/vkey`);
  if (!bytes || !keyBytes) return null;
  const key = parseKey(textOf(keyBytes) ?? "");
  if (!key) verifier.fails("signature", `${prefix}log/vkey`, messages.checkpoint.key);
  if (!checkpoint) verifier.fails("signature", path, messages.checkpoint.malformed);
  if (!checkpoint || !key) return null;
  const signature = await signatureBy(checkpoint, key);
  if (!verifier.check("signature", path, !signature && messages.checkpoint.signature)) return null;

  const derived = [
    ["checkpoint.body", bytesOf(checkpoint.body)],
    ["checkpoint.sig", signature ?? new Uint8Array()],
    ["key.pem", bytesOf(pemOf(key))],
  ] as const;
  for (const [name, expected] of derived) {
    const found = await verifier.read("signature", `${prefix}log/${name}`);
    if (!found) continue;
    const problem = !sameBytes(found, expected) && messages.checkpoint.contradicts;
    verifier.check("signature", `${prefix}log/${name}`, problem);
  }
  return { checkpoint, key };
}

async function verifyEvents(verifier: Verifier, prefix: string, checkpoint: Checkpoint) {
  const events: [number, Recorded][] = [];
  // Events that waited when a log stopped are in the one that continues it.
  const origins = new Set([checkpoint.origin]);
  for (const [path, file] of verifier.filesOf(prefix)) {
    if (file.kind === "proof" || file.kind === "eventStamp") {
      const isThere = verifier.bundle.has(`${prefix}events/${file.place}.json`);
      if (!isThere) verifier.fails("files", path, messages.files.noEvent);
    }
    if (file.kind !== "event") continue;
    const recorded = await verifyEvent(verifier, prefix, checkpoint, file.place, path, origins);
    if (!recorded) continue;
    events.push([file.place, recorded]);
    if (recorded.event.previous) origins.add(recorded.event.previous.log);
  }
  return new Map(events.sort(([one], [other]) => one - other));
}

async function verifyEvent(
  verifier: Verifier,
  prefix: string,
  checkpoint: Checkpoint,
  place: number,
  path: string,
  origins: ReadonlySet<string>,
): Promise<Recorded | null> {
  const json = await verifier.read("event", path);
  if (!json) return null;
  const proofPath = `${prefix}events/${place}.tlog-proof`;
  const proof = await verifier.read("place", proofPath);
  if (proof) {
    verifier.check("place", proofPath, placeProblem(proof, checkpoint, place, sha256(json)));
  }
  const { value: event, problem } = parseEvent(json);
  if (problem !== undefined) {
    verifier.fails("event", path, problem);
    return null;
  }
  const isElsewhere = !origins.has(event.log) && messages.event.otherLog;
  const isMisplaced = beginsLog(event) !== (place === 0) && messages.event.beginning;
  if (!verifier.check("event", path, isElsewhere || isMisplaced)) return null;
  return { path, event, digest: toHex(sha256(json)) };
}

function placeProblem(
  text: Uint8Array,
  checkpoint: Checkpoint,
  place: number,
  digest: Uint8Array,
): string | null {
  const proof = parseProof(text);
  if (!proof) return messages.place.malformed;
  if (!sameBytes(proof.checkpoint.bytes, checkpoint.bytes)) return messages.place.checkpoint;
  if (proof.index !== place) return messages.place.place;
  return isIncluded(digest, place, checkpoint, proof.hashes) ? null : messages.place.path;
}

/** Checks the times of events against each other. */
function verifyOrder(verifier: Verifier, { events, checkpoint }: Log): void {
  const { now } = verifier.options;
  const began = Date.parse(events.get(0)?.event.at ?? "");
  let goesOn = false;
  // Events that waited when a log stopped follow the one that began the next, and are older.
  const latest = new Map<string, Recorded>();
  for (const recorded of events.values()) {
    const { path, event } = recorded;
    const isOwn = event.log === checkpoint.origin;
    if (!isOwn && goesOn) verifier.fails("event", path, messages.event.late);
    // Events of several servers get their places in the order of their commits.
    const before = latest.get(event.log);
    if (before && Date.parse(before.event.at) > Date.parse(event.at) + CLOCK_SLACK) {
      verifier.fails("event", path, messages.event.before(before.path));
    }
    latest.set(event.log, recorded);
    // Events being recorded when the log began get their place shortly after.
    goesOn ||= isOwn && Date.parse(event.at) > began + CLOCK_SLACK;
    // The wrong one may be the clock here, which proves nothing about the event.
    if (now !== undefined && Date.parse(event.at) > now + CLOCK_SLACK) {
      verifier.unknown("event", path, messages.event.future(now));
    }
  }
}

async function verifyHeads(verifier: Verifier, log: Log): Promise<void> {
  const { prefix, checkpoint, heads } = log;
  for (const [path, file] of verifier.filesOf(prefix)) {
    if (file.kind === "consistency") {
      const isThere = verifier.bundle.has(`${prefix}log/checkpoint-${file.old}`);
      if (file.new !== checkpoint.size || !isThere) {
        verifier.fails("consistency", path, messages.checkpoint.pair);
      }
    }
    if (file.kind !== "head") continue;
    const proofPath = `${prefix}log/consistency-${file.size}-${checkpoint.size}.txt`;
    const bytes = await verifier.read("consistency", path);
    const proof = await verifier.read("consistency", proofPath);
    if (!bytes || !proof) continue;
    const head = parseCheckpoint(bytes);
    const problem = head
      ? await headProblem(log, head, file.size, proof)
      : messages.checkpoint.malformed;
    if (verifier.check("consistency", path, problem) && head && !heads.has(file.size)) {
      heads.set(file.size, head);
    }
  }
}

async function headProblem(log: Log, head: Checkpoint, size: number, proof: Uint8Array) {
  const { checkpoint } = log;
  const hashes = parseHashes(proof);
  if (!hashes) return messages.checkpoint.hashes;
  if (head.origin !== checkpoint.origin || head.size !== size) return messages.checkpoint.name;
  if (!isExtension(head, checkpoint, hashes)) return messages.checkpoint.rewritten;
  const key = keyFor(log, size);
  return key && (await signatureBy(head, key)) ? null : messages.checkpoint.keyThen;
}

/**
 * Returns the key that the log itself names for a checkpoint of this size: that of the last event
 * about keys below it.
 */
function keyFor({ events }: Log, size: number): VerifierKey | null {
  const below = [...events].filter(([place]) => place < size).map(([, { event }]) => keyOf(event));
  return below.findLast((key) => key !== null) ?? null;
}

/** Returns why a checkpoint is not a state of this log, as far as the bundle shows. */
export async function stateProblem(log: Log, other: Checkpoint): Promise<string | null> {
  const key = keyFor(log, other.size);
  if (!key) return messages.checkpoint.noKey;
  if (!(await signatureBy(other, key))) return messages.checkpoint.keyThen;
  const known = log.heads.get(other.size);
  if (!known) return messages.checkpoint.unconnected;
  return isSameHead(known, other) ? null : messages.checkpoint.otherRoot;
}

/** Checks that the log names the key that signed it, and that the caller trusts that key. */
async function verifyKeys(verifier: Verifier, log: Log): Promise<void> {
  const { prefix, checkpoint, key, events } = log;
  const path = `${prefix}log/vkey`;
  if (!events.has(0)) verifier.fails("key", `${prefix}events/0.json`, messages.key.noStart);
  if (keyFor(log, checkpoint.size)?.text !== key.text) {
    return verifier.fails("key", path, messages.key.other);
  }
  // An older log is vouched for by the one that continues it.
  if (prefix !== "") return;
  const pinned = verifier.options.key;
  if (!pinned) return verifier.unknown("key", path, messages.key.unknown, commands.key);
  const isPinned = await pins(log, pinned);
  verifier.check("key", path, !isPinned && messages.key.notPinned(pinned.text));
}

/**
 * Whether trust in a key leads to that of the log: a trusted key vouches for each key that an event
 * names below a checkpoint that it signed.
 */
async function pins({ heads, events, key }: Log, pinned: VerifierKey): Promise<boolean> {
  const trusted = [pinned];
  for (const known of trusted) {
    if (known.text === key.text) return true;
    for (const [size, head] of heads) {
      if (!(await signatureBy(head, known))) continue;
      for (const [place, { event }] of events) {
        const named = place < size ? keyOf(event) : null;
        if (named && !trusted.some(({ text }) => text === named.text)) trusted.push(named);
      }
    }
  }
  return false;
}

/**
 * Checks that each log but the first continues one of the bundle. Returns the logs that the newest
 * one vouches for, itself included, oldest first.
 */
export function verifyLinks(verifier: Verifier, logs: readonly Log[]): Log[] {
  const byOrigin = new Map<string, Log>();
  for (const log of logs) {
    const { prefix, checkpoint } = log;
    // Otherwise one of them could vouch for what the other one shows.
    if (byOrigin.has(checkpoint.origin)) {
      verifier.fails("consistency", `${prefix}log/checkpoint`, messages.checkpoint.sameName);
    } else byOrigin.set(checkpoint.origin, log);
  }
  const continued = new Set<string>();
  const links = new Map<Log, Log>();
  for (const log of logs) {
    const first = log.events.get(0);
    const previous = first?.event.previous;
    if (!first || !previous) continue;
    const found = byOrigin.get(previous.log);
    const digest = found && toHex(sha256(found.checkpoint.bytes));
    continued.add(previous.log);
    if (found && digest === previous.checkpoint) {
      verifier.holds("consistency", first.path);
      links.set(log, found);
    } else {
      verifier.unknown("consistency", first.path, messages.checkpoint.previous);
      if (found) verifier.unknown("key", `${found.prefix}log/vkey`, messages.key.older);
    }
  }
  for (const { prefix, checkpoint } of logs) {
    if (prefix === "" || continued.has(checkpoint.origin)) continue;
    verifier.fails("consistency", `${prefix}log/checkpoint`, messages.checkpoint.abandoned);
  }
  const chain: Log[] = [];
  let next = logs.find(({ prefix }) => prefix === "");
  // A false bundle may name its logs in a circle.
  while (next && !chain.includes(next)) {
    chain.push(next);
    next = links.get(next);
  }
  return chain.reverse();
}
