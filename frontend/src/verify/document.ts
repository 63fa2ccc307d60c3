/**
 * Verifies a receipt or a certificate: a PDF that holds the proof of one event as files, which are not
 * compressed. What its pages show is not checked; only what is told here counts.
 */
import { type Bytes, isDigest, textOf } from "./bytes";
import { parseKey, signatureBy, type VerifierKey } from "./checkpoint";
import type { Facts } from "./contents";
import { parseDisclosure } from "./disclosure";
import { escaped } from "./escape";
import { type LogEvent, parseEvent } from "./event";
import { digestOf, sha256 } from "./hash";
import { CLOCK_SLACK } from "./log";
import { isIncluded } from "./merkle";
import { messages } from "./messages";
import { parseProof, type TlogProof } from "./proof";
import type { Report, Summary } from "./report";
import { hasItsVersion } from "./told";
import { type Options, Verifier } from "./verifier";
import { ZipError } from "./zip";

const BEGIN = "%PDF-";
const PROOF = "c2sp.org/tlog-proof@v1\n";

/** The files that a document may hold. */
const MAX_FILES = 64;

/** The events that a document can be about. */
const SUBJECTS = ["agreement.accepted", "idea.published"];

export const isDocument = (bytes: Bytes): boolean => beginsWith(bytes, BEGIN);

/** Verifies a document. Fails with a `ZipError` if it holds no proof at all, or no key. */
export async function verifyDocument(bytes: Bytes, options: Options): Promise<Report> {
  const files = embeddedIn(bytes);
  const found = files
    .map((json) => ({ json, event: parseEvent(json).value }))
    .find(({ event }) => event && SUBJECTS.includes(event.type));
  if (!found?.event) throw new ZipError(messages.document.foreign);
  const { json, event } = found;
  const proofs = files.filter((file) => beginsWith(file, PROOF));
  if (proofs.length === 0) throw new ZipError(messages.document.unproven);
  const brought = files.map((file) => parseKey(textOf(file) ?? "")).find((key) => key !== null);
  const key = brought ?? options.key;
  // Without one, anybody could have made it.
  if (!key) throw new ZipError(messages.document.noKey);
  options.signal?.throwIfAborted();

  const verifier = new Verifier(NO_FILES, options);
  verifier.unknown("files", "the pages of the PDF", messages.document.pages);
  const proof = parseProof(proofs[0] ?? new Uint8Array());
  if (!proof) {
    verifier.fails("place", "event.tlog-proof", messages.place.malformed);
    return { claims: verifier.claims, summary: null, page: null };
  }
  const { checkpoint, index, hashes } = proof;
  const isSigned = await signatureBy(checkpoint, key);
  verifier.check("signature", "checkpoint", !isSigned && messages.document.signature);
  verifyKey(verifier, key);
  const isThere = isIncluded(sha256(json), index, checkpoint, hashes);
  verifier.check("place", "event.tlog-proof", !isThere && messages.place.path);
  verifyTime(verifier, event);
  const facts = await verifyFacts(verifier, files, event);
  if (!hasItsVersion(event, (name) => facts[name])) {
    verifier.fails("event", "event.json", messages.told.version);
  }
  const summary = summaryOf(proof, key, event, facts);
  return { claims: verifier.claims, summary, page: null };
}

/** Nothing is read by its path. */
const NO_FILES = {
  paths: [],
  has: () => false,
  read: async () => {
    throw new ZipError(messages.zip.missing);
  },
};

/** Compares the key with the one that the reader trusts, if it is not that one itself. */
function verifyKey(verifier: Verifier, key: VerifierKey): void {
  const { key: pinned } = verifier.options;
  if (!pinned) verifier.unknown("key", "vkey", messages.document.anyKey);
  else {
    const isPinned = pinned.text === key.text;
    verifier.check("key", "vkey", !isPinned && messages.document.otherKey(pinned.text));
  }
}

function verifyTime(verifier: Verifier, event: LogEvent): void {
  const { now } = verifier.options;
  const isFuture = now !== undefined && Date.parse(event.at) > now + CLOCK_SLACK;
  if (isFuture) verifier.unknown("event", "event.json", messages.event.future(now));
  else verifier.holds("event", "event.json");
}

/** Checks the facts that the event names, and the text of an agreement; returns those that hold. */
async function verifyFacts(
  verifier: Verifier,
  files: readonly Bytes[],
  event: LogEvent,
): Promise<DisclosedFacts> {
  const digests = new Map<string, Bytes>();
  for (const file of files) digests.set(await digestOf(file), file);
  const facts: DisclosedFacts = {};
  for (const [name, digest] of Object.entries(event.discloses)) {
    const path = `disclosure-${name}.json`;
    const json = digests.get(digest);
    if (!json) {
      verifier.unknown("disclosure", path, messages.document.withheld);
      continue;
    }
    const { value, problem } = parseDisclosure(name, json);
    if (verifier.check("disclosure", path, problem) && value) facts[name] = value.facts;
  }
  const agreed = facts.terms?.sha256;
  if (isDigest(agreed)) {
    if (digests.has(agreed)) verifier.holds("terms", "agreement.txt");
    else verifier.unknown("terms", "agreement.txt", messages.document.absent(agreed));
  }
  const content = facts.content?.sha256;
  if (isDigest(content)) {
    verifier.unknown("content", "disclosure-content.json", messages.document.content(content));
  }
  return facts;
}

type DisclosedFacts = Partial<Record<string, Facts>>;

const textIn = (value: unknown) => (typeof value === "string" ? escaped(value) : null);

/** Tells the one event. */
const summaryOf = (
  { checkpoint, index }: TlogProof,
  key: VerifierKey,
  event: LogEvent,
  { content, person }: DisclosedFacts,
): Summary => ({
  origin: escaped(checkpoint.origin),
  size: checkpoint.size,
  vkey: escaped(key.text),
  idea: textIn(event.idea),
  title: textIn(content?.title),
  creator: textIn(content?.creator),
  events: [
    {
      place: index,
      log: null,
      type: event.type,
      at: event.at,
      isUndelivered: event.delivered === false,
      person: textIn(person?.name),
      address: textIn(person?.email),
      version: textIn(event.revision),
    },
  ],
  unvouched: [],
});

const beginsWith = (bytes: Uint8Array, text: string): boolean =>
  Array.from(text).every((character, index) => bytes[index] === character.charCodeAt(0));

/**
 * Returns the files in a PDF that are not compressed (ISO 32000-2, 7.11.4). Which is which, their
 * contents and digests say.
 */
function embeddedIn(bytes: Bytes): Bytes[] {
  // A character for each byte.
  const text = new TextDecoder("latin1").decode(bytes);
  const files: Bytes[] = [];
  const mark = /\/Type\s*\/EmbeddedFile(?![A-Za-z])/g;
  const begin = /stream\r?\n/g;
  for (let marks = 0, found = mark.exec(text); found && marks < MAX_FILES; marks++) {
    begin.lastIndex = found.index;
    if (!begin.exec(text)) break;
    const start = begin.lastIndex;
    const object = text.slice(text.lastIndexOf("obj", found.index), start);
    const [, length = "0"] = /\/Length\s+(\d+)\b(?!\s+\d+\s+R)/.exec(object) ?? [];
    const end = object.includes("/Filter") ? start : start + Number(length);
    files.push(bytes.slice(start, end));
    mark.lastIndex = end;
    found = mark.exec(text);
  }
  return files;
}
