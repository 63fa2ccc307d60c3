/** What events name by digest: disclosures, the content of the idea, texts of agreements. */
import { toHex } from "./bytes";
import { type Disclosed, parseDisclosure } from "./disclosure";
import { digestOf, sha256 } from "./hash";
import type { Log } from "./log";
import { messages } from "./messages";
import type { Verifier } from "./verifier";

/** What a disclosure says. */
export type Facts = Disclosed["facts"];

/** Digests that disclosures name, each with the path of a disclosure that does. */
type Named = Map<string, string>;

/** Returns what the disclosures say that hold, by their digests. */
export async function verifyContents(
  verifier: Verifier,
  logs: readonly Log[],
): Promise<ReadonlyMap<string, Facts>> {
  const facts = new Map<string, Facts>();
  const named = { content: new Map<string, string>(), terms: new Map<string, string>() };
  const known: Named = new Map();
  for (const log of logs) await verifyDisclosures(verifier, log, named, known, facts);
  for (const log of logs) verifyComplete(verifier, log, known);
  for (const path of verifier.missing) {
    if (verifier.bundle.has(path)) continue;
    verifier.unknown(topicOf(path) ?? "disclosure", path, messages.contents.lost);
  }

  const present = new Set<string>();
  for (const path of verifier.bundle.paths) {
    const topic = topicOf(path);
    const contents = topic && (await verifier.read(topic, path));
    if (!topic || !contents) continue;
    const digest = await digestOf(contents);
    const by = named[topic].get(digest);
    if (by) verifier.holds(topic, path, messages.contents.namedBy(by));
    else verifier.fails(topic, path, messages.contents.notNamed);
    present.add(digest);
  }
  for (const topic of ["content", "terms"] as const) {
    for (const [digest, by] of named[topic]) {
      if (!present.has(digest)) verifier.unknown(topic, by, messages.contents.absent(digest));
    }
  }
  return facts;
}

function topicOf(path: string): "content" | "terms" | null {
  if (path.startsWith("idea/")) return "content";
  return path.startsWith("agreements/") ? "terms" : null;
}

/**
 * Checks each disclosure against its event. The same disclosure of several events is in the bundle
 * once.
 */
async function verifyDisclosures(
  verifier: Verifier,
  { prefix, events }: Log,
  named: Readonly<Record<"content" | "terms", Named>>,
  known: Named,
  facts: Map<string, Facts>,
): Promise<void> {
  for (const [path, file] of verifier.filesOf(prefix)) {
    if (file.kind !== "disclosure") continue;
    const { place, name } = file;
    const json = await verifier.read("disclosure", path);
    if (!json) continue;
    const digest = toHex(sha256(json));
    const event = events.get(place)?.event;
    const expected = event && Object.hasOwn(event.discloses, name) ? event.discloses[name] : null;
    const twice = known.get(digest);
    const parsed = parseDisclosure(name, json);
    const problem =
      (!event && messages.disclosure.noEvent) ||
      (!expected && messages.disclosure.notNamed(place, name)) ||
      (expected !== digest && messages.disclosure.other(place, name)) ||
      (twice && messages.disclosure.twice(twice)) ||
      parsed.problem;
    if (expected === digest && !twice) known.set(digest, path);
    if (!verifier.check("disclosure", path, problem) || !parsed.value) continue;
    facts.set(digest, parsed.value.facts);
    if (name !== "content" && name !== "terms") continue;
    for (const digest of parsed.value.digests) {
      if (!named[name].has(digest)) named[name].set(digest, path);
    }
  }
}

/** Checks that each disclosure that an event names is there, or listed as withheld or missing. */
function verifyComplete(verifier: Verifier, { prefix, events }: Log, known: Named): void {
  for (const [place, { path: eventPath, event }] of events) {
    for (const [name, digest] of Object.entries(event.discloses)) {
      if (known.has(digest)) continue;
      const path = `${prefix}disclosures/${place}-${name}.json`;
      if (verifier.withheld.has(path)) {
        verifier.unknown("disclosure", path, messages.disclosure.withheld);
      } else if (!verifier.bundle.has(path) && !verifier.missing.has(path)) {
        verifier.fails("disclosure", path, messages.disclosure.missing(eventPath));
      }
    }
  }
}
