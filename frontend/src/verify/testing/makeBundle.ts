/** Makes bundles as the server does, with the cryptography of Node. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Bytes, bytesOf, concat, textOf, toBase64 } from "../bytes";
import { type Json, writeCanonical } from "../canonical";
import { parseCheckpoint } from "../checkpoint";
import { parseDisclosure } from "../disclosure";
import { parseEvent } from "../event";
import { layoutOf } from "../layout";
import type { DisclosedFacts } from "../names";
import { readmeBeginning, readmeEnding } from "../readme";
import { reportEnding } from "../reportPage";
import { consistencyProof, inclusionProof, rootOf } from "./makeTree";
import { makeZip, type ZipEntry } from "./makeZip";

export type Files = Map<string, Bytes>;

const ORIGIN = "vault.example.org/log1";

// Tests run in the folder of the frontend.
const README = readFileSync("../crates/evidence/assets/README.txt", "utf8");
const REPORT = readFileSync("../crates/evidence/assets/report.html", "utf8");

/** Number of events in the log; those without a place below are other people's. */
const SIZE = 13;

export const digest = (bytes: Uint8Array): string =>
  createHash("sha256").update(bytes).digest("hex");

const salt = (name: string): string => createHash("sha256").update(name).digest("base64url");

/** A key made from one byte. */
export function makeKey(byte: number, origin = ORIGIN) {
  const pkcs8 = `302e020100300506032b657004220420${byte.toString(16).padStart(2, "0").repeat(32)}`;
  const secret = createPrivateKey({ key: Buffer.from(pkcs8, "hex"), format: "der", type: "pkcs8" });
  const spki = createPublicKey(secret).export({ format: "der", type: "spki" });
  const key = concat(Uint8Array.of(1), spki.subarray(-32));
  const id = createHash("sha256").update(`${origin}\n`).update(key).digest().subarray(0, 4);
  const vkey = `${origin}+${id.toString("hex")}+${toBase64(key)}`;
  return {
    origin,
    secret,
    id,
    vkey,
    pem: createPublicKey(secret).export({ format: "pem", type: "spki" }).toString(),
  };
}

type Key = ReturnType<typeof makeKey>;

/** Signs the head of a tree. */
export function makeCheckpoint(leaves: readonly Uint8Array[], key: Key) {
  const body = `${key.origin}\n${leaves.length}\n${toBase64(rootOf(leaves))}\n`;
  const signature = signed(key.secret, body);
  const line = `— ${key.origin} ${toBase64(concat(key.id, signature))}\n`;
  return { body, signature, text: `${body}\n${line}` };
}

const signed = (secret: KeyObject, text: string): Bytes =>
  new Uint8Array(sign(null, bytesOf(text), secret));

/** Events by place, without the fields that all have alike. */
type Events = Record<number, Record<string, Json>>;

const fromHex = (hex: string): Bytes => new Uint8Array(Buffer.from(hex, "hex"));

/**
 * An OpenTimestamps file in which a calendar promises a block (`https://a.org`), after steps that lead
 * there.
 */
export const makeStamp = (stamped: Uint8Array, ...steps: readonly Uint8Array[]): Bytes =>
  concat(
    fromHex("004f70656e54696d657374616d7073000050726f6f6600bf89e2e884e892940108"),
    fromHex(digest(stamped)),
    ...steps,
    fromHex("0083dfe30d2ef90c8e0e0d68747470733a2f2f612e6f7267"),
  );

const appended = (bytes: Uint8Array) => concat(Uint8Array.of(0xf0, bytes.length), bytes);
const prepended = (bytes: Uint8Array) => concat(Uint8Array.of(0xf1, bytes.length), bytes);
const hashed = Uint8Array.of(0x08);

/** The answer of a time-stamping authority, with zeros in place of certificate and signature. */
export const makeTimestamp = (stamped: Uint8Array): Bytes =>
  concat(
    fromHex(`3082023c30030201003031300d060960864801650304020105000420${digest(stamped)}04820200`),
    new Uint8Array(0x200),
  );

interface Recipe {
  idea: string;
  person: string;
  key: Key;
  /** Fields to add or change before the log holds and signs the events. */
  events: Events;
}

/** Files of a bundle without `bundle.json`. */
export function makeFiles(over: Partial<Recipe> = {}): Files {
  const {
    idea,
    person,
    key,
    events: changes,
  }: Recipe = {
    idea: "7",
    person: "Grace Hopper",
    key: makeKey(1),
    events: {},
    ...over,
  };
  const files: Files = new Map();
  const put = (path: string, contents: Bytes | string) =>
    files.set(path, typeof contents === "string" ? bytesOf(contents) : contents);

  const content = bytesOf(
    `<p>Water wicks up.</p><img src="/api/files/9d0b3a52-7f1e-4c0b-8d51-0a6f3c2e1b77">`,
  );
  const drawing = bytesOf("not really a picture");
  const terms = bytesOf(`NON-DISCLOSURE AGREEMENT with ${person}\n`);
  put("idea/version-1.html", content);
  put("idea/version-1-1.png", drawing);
  put("agreements/6.txt", terms);
  put("verify.py", "print('verify')\n");

  const disclosures: Record<string, Record<string, Json>> = {
    "3-content": {
      title: "A kettle that waits",
      creator: "Ada Lovelace",
      sha256: digest(content),
      files: [{ name: "drawing.png", mediaType: "image/png", sha256: digest(drawing) }],
    },
    "6-person": { name: person, email: "grace@example.org", identity: "self-declared" },
    "6-terms": { sha256: digest(terms) },
    "6-agreement": { template: "IdeaVault NDA", version: "1.1", sha256: "0".repeat(64) },
    "8-origin": { address: "203.0.113.7", browser: "Firefox" },
  };
  const disclosed = new Map<string, string>();
  for (const [name, facts] of Object.entries(disclosures)) {
    const json = writeCanonical({ ...facts, salt: salt(name + idea) });
    put(`disclosures/${name}.json`, json);
    disclosed.set(name, digest(bytesOf(json)));
  }
  const named = (...names: string[]) =>
    Object.fromEntries(names.map((name) => [name.replace(/^\d+-/, ""), disclosed.get(name) ?? ""]));

  const events: Events = {
    0: { type: "log.started", vkey: key.vkey, discloses: {} },
    3: { type: "revision.recorded", idea, revision: "1", discloses: named("3-content") },
    6: {
      type: "agreement.offered",
      idea,
      recipient: "r1",
      discloses: named("6-person", "6-terms", "6-agreement"),
    },
    7: { type: "agreement.delivered", idea, recipient: "r1", discloses: named("6-terms") },
    8: {
      type: "agreement.accepted",
      idea,
      recipient: "r1",
      discloses: named("6-terms", "8-origin"),
    },
    10: {
      type: "view.started",
      idea,
      recipient: "r1",
      revision: "1",
      view: "v1",
      discloses: named("3-content"),
    },
    11: {
      type: "file.delivered",
      idea,
      recipient: "r1",
      view: "v1",
      discloses: {},
    },
  };
  const leafAt = (place: number) => {
    const event = events[place];
    if (!event) return bytesOf(`somebody else's event ${place}`);
    return bytesOf(
      writeCanonical({
        v: 1,
        log: key.origin,
        at: `2026-11-20T10:00:${String(place).padStart(2, "0")}.000000Z`,
        salt: salt(`event ${place} ${idea}`),
        ...event,
      }),
    );
  };
  events[8] = { ...events[8], delivered: digest(leafAt(7)) };
  for (const place of Object.keys(changes).map(Number)) {
    events[place] = { ...events[place], ...changes[place] };
  }
  const leaves = Array.from({ length: SIZE }, (_, place) => leafAt(place));
  const data = leaves.map((leaf) => new Uint8Array(createHash("sha256").update(leaf).digest()));
  const newest = makeCheckpoint(data, key);
  put("log/checkpoint", newest.text);
  put("log/checkpoint.body", newest.body);
  put("log/checkpoint.sig", newest.signature);
  put("log/key.pem", key.pem);
  put("log/vkey", `${key.vkey}\n`);
  for (const place of Object.keys(events).map(Number)) {
    put(`events/${place}.json`, leaves[place] ?? "");
    const hashes = inclusionProof(place, data).map((hash) => `${toBase64(hash)}\n`);
    put(
      `events/${place}.tlog-proof`,
      `c2sp.org/tlog-proof@v1\nindex ${place}\n${hashes.join("")}\n${newest.text}`,
    );
  }
  const older = makeCheckpoint(data.slice(0, 9), key).text;
  put("log/checkpoint-9", older);
  const proof = consistencyProof(9, data).map((hash) => `${toBase64(hash)}\n`);
  put(`log/consistency-9-${SIZE}.txt`, proof.join(""));
  put("anchors/9-freetsa.org.checkpoint", older);
  put("anchors/9-freetsa.org.tsr", makeTimestamp(bytesOf(older)));
  const covered = data.slice(0, 9);
  put("anchors/9-calendar.ots", makeStamp(bytesOf(older), prepended(rootOf(covered)), hashed));
  const way = [
    prepended(Uint8Array.of(0)),
    hashed,
    // All others are to the left of the last one of nine.
    ...inclusionProof(8, covered).flatMap((hash) => [
      prepended(hash),
      prepended(Uint8Array.of(1)),
      hashed,
    ]),
    appended(fromHex(digest(bytesOf(older)))),
    hashed,
  ];
  put("events/8.json.ots", makeStamp(leaves[8] ?? bytesOf(""), ...way));
  put("anchors/9-calendar.checkpoint", older);
  put("anchors/roots/1.pem", "a certificate");
  return files;
}

interface Resumption {
  /** Files of the bundle when its log stopped. */
  stopped: Files;
  /** Key of the log that continues it. */
  key: Key;
  /** Digest of the last checkpoint that the new log knows of, if not that of the bundle. */
  last?: string;
  /** More events of the new log. */
  events: Record<string, Json>[];
}

/** Files of a bundle whose log had stopped, and is continued by another one. */
export function makeResumedFiles(over: Partial<Resumption> = {}): Files {
  const {
    stopped,
    key,
    last,
    events: more,
  }: Resumption = {
    stopped: makeFiles(),
    key: makeKey(4, "vault.example.org/log2"),
    events: [],
    ...over,
  };
  const [origin = ""] = new TextDecoder().decode(stopped.get("log/vkey")).split("+");
  const folder = origin.slice(origin.lastIndexOf("/") + 1);
  const files: Files = new Map();
  for (const [path, contents] of stopped) {
    const isShared = /^(idea|log\d+)\/|^[^/]+$/.test(path);
    files.set(isShared ? path : `${folder}/${path}`, contents);
  }
  const checkpoint = last ?? digest(files.get(`${folder}/log/checkpoint`) ?? bytesOf(""));
  const recorded: Record<string, Json>[] = [
    { type: "log.resumed", vkey: key.vkey, previous: { log: origin, checkpoint } },
    // It waited for a place when the log stopped, hours before the new one began.
    { type: "share.created", idea: "7", log: origin, at: "2026-11-21T04:00:00.000000Z" },
    { type: "idea.deleted", idea: "7" },
    ...more,
  ];
  const events = recorded.map((event, place) =>
    bytesOf(
      writeCanonical({
        v: 1,
        log: key.origin,
        at: "2026-11-21T10:00:00.000000Z",
        salt: salt(`resumed ${place}`),
        discloses: {},
        ...event,
      }),
    ),
  );
  const data = events.map((event) => new Uint8Array(createHash("sha256").update(event).digest()));
  const newest = makeCheckpoint(data, key);
  files.set("log/checkpoint", bytesOf(newest.text));
  files.set("log/checkpoint.body", bytesOf(newest.body));
  files.set("log/checkpoint.sig", newest.signature);
  files.set("log/key.pem", bytesOf(key.pem));
  files.set("log/vkey", bytesOf(`${key.vkey}\n`));
  for (const [place, event] of events.entries()) {
    files.set(`events/${place}.json`, event);
    const hashes = inclusionProof(place, data).map((hash) => `${toBase64(hash)}\n`);
    const proof = `c2sp.org/tlog-proof@v1\nindex ${place}\n${hashes.join("")}\n${newest.text}`;
    files.set(`events/${place}.tlog-proof`, bytesOf(proof));
  }
  return files;
}

/** What the report in a bundle tells, as far as the files can be read. */
function toldBy(files: Files) {
  const bytesAt = (path: string) => files.get(path) ?? bytesOf("");
  const facts: DisclosedFacts = new Map();
  const logs = [...layoutOf([...files.keys()]).logs].map(([prefix, paths]) => {
    const events = paths.flatMap(([path, file]) => {
      if (file.kind === "disclosure") {
        const { name } = file;
        const disclosed = parseDisclosure(name, bytesAt(path)).value;
        if (disclosed) facts.set(digest(bytesAt(path)), { ...disclosed, name, path });
      }
      const event = file.kind === "event" && parseEvent(bytesAt(path)).value;
      if (file.kind !== "event" || !event) return [];
      return [[file.place, { path, event, digest: digest(bytesAt(path)) }] as const];
    });
    events.sort(([one], [other]) => one - other);
    const bytes = bytesAt(`${prefix}log/checkpoint`);
    const checkpoint = parseCheckpoint(bytes) ?? { origin: "", size: 0 };
    return { prefix, checkpoint, events: new Map(events) };
  });
  const chain: typeof logs = [];
  for (const log of [...logs].reverse()) {
    const newer = chain.at(-1);
    const previous = newer?.events.get(0)?.event.previous;
    if (newer && previous?.checkpoint !== digest(bytesAt(`${log.prefix}log/checkpoint`))) break;
    chain.push(log);
  }
  const events = logs.flatMap((log) => [...log.events.values()]);
  const { idea = "" } = events.find(({ event }) => event.idea !== undefined)?.event ?? {};
  return { idea, logs, chain, facts };
}

/** Adds `bundle.json` for what the files are, and instructions and a report if there are none. */
export function withIndex(given: Files, more: Record<string, Json> = {}): Files {
  const files = new Map(given);
  const list = (name: string) => (Array.isArray(more[name]) ? more[name].map(String).sort() : []);
  const told = toldBy(files);
  if (!files.has("report.html") && more.v !== 1) {
    const report = reportEnding({
      ...told,
      has: (path) => files.has(path),
      withheld: list("withheld").length,
      missing: list("missing").length,
      pending: list("pending").length,
    });
    files.set("report.html", bytesOf(REPORT + report));
  }
  if (!files.has("README.txt")) {
    const instructed = {
      idea: told.idea,
      vkey: textOf(files.get("log/vkey") ?? bytesOf(""))?.trim() ?? "",
      paths: [...files.keys()].sort(),
      missing: list("missing"),
    };
    const text = readmeBeginning(instructed) + README + readmeEnding(instructed);
    files.set("README.txt", bytesOf(text));
  }
  const digests = [...files].map(([path, contents]): [string, Json] => [path, digest(contents)]);
  const index = { v: 2, files: Object.fromEntries(digests), ...more };
  return new Map(files).set("bundle.json", bytesOf(writeCanonical(index)));
}

/** Writes files as the server writes a bundle. */
export const zipped = (files: Files): Bytes =>
  makeZip(
    [...files].map(
      ([path, contents]): ZipEntry => ({ path, contents, deflated: !path.startsWith("idea/") }),
    ),
  );

/** A bundle that is true. */
export const makeBundle = (over: Partial<Recipe> = {}): Bytes => zipped(withIndex(makeFiles(over)));

/** Flips one bit. */
export function flipped(bytes: Bytes, byte: number, bit: number): Bytes {
  const changed = bytes.slice();
  changed[byte] = (changed[byte] ?? 0) ^ (1 << bit);
  return changed;
}
