/** Files that events name by digest: disclosures, the content of the idea, texts of agreements. */
import { toHex } from "./bytes";
import { type Disclosed, parseDisclosure } from "./disclosure";
import type { BundleFiles } from "./files";
import { digestOf, sha256 } from "./hash";
import { isNamedFile } from "./layout";
import type { Log } from "./log";
import { messages } from "./messages";
import { type DisclosedFacts, namesOf, subjectsOf } from "./names";
import { namesOfVersion1 } from "./namesOfVersion1";
import type { Verifier } from "./verifier";

/** Fields of a disclosure. */
export type Facts = Disclosed["facts"];

/** Returns what the disclosures say that hold, by their digests. */
export async function verifyContents(
  verifier: Verifier,
  logs: readonly Log[],
): Promise<DisclosedFacts> {
  const facts: DisclosedFacts = new Map();
  const known = new Map<string, string>();
  for (const log of logs) await verifyDisclosures(verifier, log, known, facts);
  for (const log of logs) verifyComplete(verifier, log, known);
  verifyLists(verifier, logs);

  const digests = new Map<string, string>();
  for (const path of verifier.bundle.paths) {
    const contents = isNamedFile(path) && (await verifier.read(topicOf(path), path));
    if (contents) digests.set(path, await digestOf(contents));
  }
  const nameOf =
    verifier.version === 1
      ? await namesOfVersion1(verifier.bundle, logs, facts, digests)
      : namesOf(logs, facts);
  for (const [path, digest] of digests) {
    const topic = topicOf(path);
    const page = path.endsWith(".json") ? `${path.slice(0, -5)}.html` : "";
    const by = nameOf(path, digest);
    if (!by) verifier.fails(topic, path, messages.contents.notNamed);
    else if (digests.has(page)) {
      verifier.fails(topic, path, messages.contents.sameRevision(page));
    } else verifier.holds(topic, path, messages.contents.namedBy(by));
  }
  const present = new Set(digests.values());
  for (const { name, path, digests } of facts.values()) {
    if (name !== "content" && name !== "terms") continue;
    for (const digest of digests.filter((digest) => !present.has(digest))) {
      present.add(digest);
      verifier.unknown(name, path, messages.contents.absent(digest));
    }
  }
  return facts;
}

function topicOf(path: string): "content" | "terms" | "disclosure" {
  if (path.startsWith("idea/")) return "content";
  return /^(log\d+\/)?agreements\//.test(path) ? "terms" : "disclosure";
}

/** Whether a bundle has a file, whatever its ending if the path has none. */
const isThere = (bundle: BundleFiles, path: string): boolean =>
  ["", ".html", ".json", ".pdf", ".png", ".jpg"].some((ending) => bundle.has(path + ending));

/** Checks what `bundle.json` says that the bundle lacks: only what an event names can be. */
function verifyLists(verifier: Verifier, logs: readonly Log[]): void {
  const { bundle, withheld, missing } = verifier;
  const subjects = subjectsOf(verifier.version, logs);
  const lists = [
    { paths: withheld, isNamed: subjects.disclose, reason: messages.disclosure.withheld },
    { paths: missing, isNamed: subjects.mayLose, reason: messages.contents.lost },
  ];
  for (const { paths, isNamed, reason } of lists) {
    for (const path of paths) {
      const topic = topicOf(path);
      if (!isNamed(path)) verifier.fails(topic, path, messages.contents.notLacking);
      else if (isThere(bundle, path)) verifier.fails(topic, path, messages.contents.lackingThere);
      else verifier.unknown(topic, path, reason);
    }
  }
}

/**
 * Checks each disclosure against its event. The same disclosure of several events is in the bundle
 * once.
 */
async function verifyDisclosures(
  verifier: Verifier,
  { prefix, events }: Log,
  known: Map<string, string>,
  facts: DisclosedFacts,
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
    facts.set(digest, { name, path, ...parsed.value });
  }
}

/** Checks that each disclosure that an event names is there, or listed as withheld or missing. */
function verifyComplete(
  verifier: Verifier,
  { prefix, events }: Log,
  known: ReadonlyMap<string, string>,
): void {
  for (const [place, { path: eventPath, event }] of events) {
    for (const [name, digest] of Object.entries(event.discloses)) {
      const path = `${prefix}disclosures/${place}-${name}.json`;
      const isListed = verifier.withheld.has(path) || verifier.missing.has(path);
      if (known.has(digest) || isListed || verifier.bundle.has(path)) continue;
      verifier.fails("disclosure", path, messages.disclosure.missing(eventPath));
    }
  }
}
