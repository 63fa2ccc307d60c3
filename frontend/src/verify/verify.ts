/**
 * Verifies an evidence bundle, claim by claim, without any server. Nothing in a bundle vouches for
 * itself: its key is trusted only if the caller has it from elsewhere.
 */
import { verifyAnchors } from "./anchors";
import { type Bytes, isDigest } from "./bytes";
import { isObject, parseCanonical, unknownField } from "./canonical";
import { verifyContents } from "./contents";
import { isDocument, verifyDocument } from "./document";
import { escaped } from "./escape";
import { types } from "./event";
import { type BundleFiles, unwrapped } from "./files";
import { type Folder, openFolder } from "./folder";
import { digestOf } from "./hash";
import { verifyHistory } from "./history";
import { INDEX, INSTRUCTIONS, REPORT, SCRIPT } from "./layout";
import { type Log, verifyLinks, verifyLog } from "./log";
import { messages } from "./messages";
import { isReadme, SCRIPT_DIGEST } from "./readme";
import type { Report } from "./report";
import { isReportPage, type Told } from "./reportPage";
import { summaryOf } from "./summary";
import { verifyTold } from "./told";
import { type Options, Verifier } from "./verifier";
import { DEFAULT_LIMITS, ZipError, ZipFile } from "./zip";

export { parseKey } from "./checkpoint";

/** Verifies a bundle in a zip file. Fails with a `ZipError` if the file is no bundle at all. */
export const verifyBundle = (bytes: Bytes, options: Options = {}): Promise<Report> =>
  verify(new ZipFile(bytes, options.limits), options);

/** Verifies a bundle that was unpacked into a folder; fails as `verifyBundle` does. */
export const verifyFolder = async (folder: Folder, options: Options = {}): Promise<Report> =>
  verify(await openFolder(folder, options.limits), options);

/** Verifies all claims of a bundle. */
async function verify(files: BundleFiles, options: Options): Promise<Report> {
  const bundle = unwrapped(files);
  if (!bundle.has(INDEX)) throw new ZipError(messages.files.foreign);
  const verifier = new Verifier(bundle, options);
  const { layout } = verifier;
  await verifyFiles(verifier);
  for (const path of layout.unknown) verifier.fails("files", path, messages.files.unknown);
  const logs: Log[] = [];
  for (const prefix of layout.logs.keys()) {
    const log = await verifyLog(verifier, prefix);
    if (log) logs.push(log);
  }
  const idea = verifySameIdea(verifier, logs);
  verifyHistory(verifier, logs);
  const chain = verifyLinks(verifier, logs);
  await verifyReadme(verifier, idea, logs);
  const facts = await verifyContents(verifier, logs);
  verifyTold(verifier, logs, facts);
  const page = await verifyReport(verifier, { idea, logs, chain, facts });
  for (const log of logs) await verifyAnchors(verifier, log);
  return { claims: verifier.claims, summary: summaryOf(logs, chain, facts), page };
}

/** Verifies a file that the reader chose: a bundle, a receipt or a certificate. */
export async function verifyFile(file: Blob, options: Options = {}): Promise<Report> {
  const { maxTotal } = options.limits ?? DEFAULT_LIMITS;
  if (file.size > maxTotal) throw new ZipError(messages.zip.tooLarge(maxTotal));
  const bytes = new Uint8Array(await file.arrayBuffer());
  return isDocument(bytes) ? verifyDocument(bytes, options) : verifyBundle(bytes, options);
}

/** Returns why a file is no bundle at all, with the name of the file in it that is at fault. */
export function refusalOf(error: unknown): string | null {
  if (!(error instanceof ZipError)) return null;
  return escaped(error.path === null ? error.message : `${error.path}: ${error.message}`);
}

/** Compares `bundle.json` with the files. */
async function verifyFiles(verifier: Verifier): Promise<void> {
  const { bundle } = verifier;
  const json = await verifier.read("files", INDEX);
  if (!json) return;
  const { value, problem } = parseCanonical(json);
  if (problem !== undefined) return verifier.fails("files", INDEX, problem);
  if (!isObject(value) || (value.v !== 1 && value.v !== 2)) {
    return verifier.fails("files", INDEX, messages.files.version);
  }
  verifier.version = value.v;
  const { files, withheld = [], missing = [], pending = [] } = value;
  const isIndex =
    isObject(files) &&
    Object.values(files).every(isDigest) &&
    isTexts(withheld) &&
    isTexts(missing) &&
    isTexts(pending) &&
    unknownField(value, ["v", "files", "withheld", "missing", "pending"]) === undefined;
  if (!isIndex) return verifier.fails("files", INDEX, messages.json.shape);
  verifier.holds("files", INDEX);
  for (const path of withheld) verifier.withheld.add(path);
  for (const path of missing) verifier.missing.add(path);
  verifier.pending = pending.length;

  for (const path of Object.keys(files)) {
    if (!bundle.has(path)) verifier.fails("files", path, messages.files.missing);
  }
  for (const path of bundle.paths.filter((path) => path !== INDEX)) {
    const contents = await verifier.read("files", path);
    if (!contents) continue;
    const listed = Object.hasOwn(files, path) ? files[path] : undefined;
    if (listed === undefined) verifier.fails("files", path, messages.files.unlisted);
    else if (listed === (await digestOf(contents))) verifier.holds("files", path);
    else verifier.fails("files", path, messages.files.changed);
  }
  for (const type of pending) {
    if (types.includes(type)) verifier.unknown("place", INDEX, messages.place.pending(type));
    else verifier.fails("files", INDEX, messages.place.noType(type));
  }
  if (bundle.has(SCRIPT)) await verifyScript(verifier);
}

/** A script in the bundle is either that of this version, or the reader's to examine. */
async function verifyScript(verifier: Verifier): Promise<void> {
  const script = await verifier.read("files", SCRIPT);
  if (script && (await digestOf(script)) !== SCRIPT_DIGEST) {
    verifier.unknown("files", SCRIPT, messages.files.script);
  }
}

async function verifyReadme(verifier: Verifier, idea: string, logs: readonly Log[]): Promise<void> {
  const newest = logs.find(({ prefix }) => prefix === "");
  const readme = newest && (await verifier.read("files", INSTRUCTIONS));
  if (!readme) return;
  const { version, bundle, missing } = verifier;
  const fits = await isReadme(readme, version, {
    idea,
    vkey: newest.key.text,
    paths: bundle.paths,
    missing: [...missing].sort(),
  });
  verifier.check("files", INSTRUCTIONS, !fits && messages.files.readme);
}

/** Returns the report, if it says what the events say. */
async function verifyReport(
  verifier: Verifier,
  events: Pick<Told, "idea" | "logs" | "chain" | "facts">,
): Promise<Bytes | null> {
  const { version, bundle, claims, withheld, missing, pending } = verifier;
  if (version === 1) {
    if (bundle.has(REPORT)) verifier.fails("files", REPORT, messages.files.unknown);
    return null;
  }
  // What is false already may be malformed, and cannot be told.
  if (claims.some(({ outcome }) => outcome.kind === "fails")) return null;
  const page = await verifier.read("files", REPORT);
  if (!page) return null;
  const fits = await isReportPage(page, {
    ...events,
    has: bundle.has,
    withheld: withheld.size,
    missing: missing.size,
    pending,
  });
  return verifier.check("files", REPORT, !fits && messages.files.report) ? page : null;
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((text) => typeof text === "string");

/** Returns the number of the idea that all events are of. */
function verifySameIdea(verifier: Verifier, logs: readonly Log[]): string {
  let known: string | undefined;
  for (const { path, event } of logs.flatMap((log) => [...log.events.values()])) {
    if (event.idea === undefined) continue;
    known ??= event.idea;
    if (event.idea !== known) {
      verifier.fails("event", path, messages.event.otherIdea(event.idea, known));
    }
  }
  return known ?? "";
}
