import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Bytes, bytesOf, fromBase64, toHex } from "./bytes";
import { parseCanonical, writeCanonical } from "./canonical";
import { parseCheckpoint, parseKey, signatureBy } from "./checkpoint";
import { isSignedBy } from "./ed25519";
import { parseEvent } from "./event";
import { digestOf } from "./hash";
import { isExtension, isIncluded, leafHash } from "./merkle";
import { parseHashes, parseProof } from "./proof";
import { flipped, makeCheckpoint, makeFiles, makeKey } from "./testing/makeBundle";
import { consistencyProof, inclusionProof, rootOf } from "./testing/makeTree";

const hex = (text: string): Bytes => new Uint8Array(Buffer.from(text, "hex"));
const event = (index: number): Bytes =>
  new Uint8Array(createHash("sha256").update(String(index)).digest());
const events = (count: number) => Array.from({ length: count }, (_, index) => event(index));

describe("canonical JSON", () => {
  const problem = (text: string | Bytes) =>
    parseCanonical(typeof text === "string" ? bytesOf(text) : text).problem;

  test("is written as the example of RFC 8785 says", () => {
    const value = JSON.parse(
      String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
    );
    expect(writeCanonical(value)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  test("orders keys by UTF-16, also those that look like numbers", () => {
    const value = {
      "\u20ac": 1,
      "\r": 2,
      "\ufb33": 3,
      "1": 4,
      "\u{1f600}": 5,
      "\u0080": 6,
      "10": 7,
      "9": 8,
    };
    expect(Object.keys(JSON.parse(writeCanonical(value))).length).toBe(8);
    expect(writeCanonical(value).match(/:\d/g)?.join("")).toBe(":2:4:7:8:6:1:5:3");
  });

  test.each([
    ['{"a":1,"a":1}', "This is not in canonical form."],
    ['[{"b":{"a":1,"\\u0061":2}}]', "This is not in canonical form."],
    ['{"a": 1}', "This is not in canonical form."],
    ['{"a":1}\n', "This is not in canonical form."],
    ['{"b":1,"a":2}', "This is not in canonical form."],
    ["1.0", "This is not in canonical form."],
    ["-0", "This is not in canonical form."],
    ['"\\u0041"', "This is not in canonical form."],
    ["9007199254740993", "This is not in canonical form."],
    ["1e+30", "A number is too large."],
    ["", "This is not JSON."],
    ["{'a':1}", "This is not JSON."],
    ['"\\ud800"', "This is not JSON."],
    ["\ufeff1", "This is not JSON."],
    ["[".repeat(200_000), "This is not JSON."],
  ])("refuses another form: %s", (text, expected) => {
    expect(problem(text)).toBe(expected);
  });

  test("refuses what is not UTF-8, and accepts a key called __proto__ as a key", () => {
    expect(problem(Uint8Array.of(0x22, 0xff, 0x22))).toBe("This is not JSON.");
    expect(problem('{"__proto__":1}')).toBeUndefined();
    expect(problem('{"__proto__":1,"__proto__":1}')).toBe("This is not in canonical form.");
  });
});

describe("the tree", () => {
  test("verifies every proof of trees of up to 20 leaves, and none for another leaf", () => {
    for (let size = 1; size <= 20; size++) {
      const leaves = events(size);
      const head = { size, root: rootOf(leaves) };
      for (let place = 0; place < size; place++) {
        const proof = inclusionProof(place, leaves);
        expect(isIncluded(event(place), place, head, proof), `${place} of ${size}`).toBe(true);
        expect(isIncluded(event(99), place, head, proof)).toBe(false);
        expect(isIncluded(event(place), place + 1, head, proof)).toBe(false);
        expect(isIncluded(event(place), place, head, [...proof, event(1)])).toBe(false);
        if (proof.length > 0) {
          expect(isIncluded(event(place), place, head, proof.slice(1))).toBe(false);
        }
      }
      for (let old = 1; old <= size; old++) {
        const older = { size: old, root: rootOf(leaves.slice(0, old)) };
        const proof = consistencyProof(old, leaves);
        expect(isExtension(older, head, proof), `${old} to ${size}`).toBe(true);
        expect(isExtension({ ...older, root: event(5) }, head, proof)).toBe(false);
        expect(isExtension(older, { ...head, root: event(5) }, proof)).toBe(false);
        expect(isExtension(older, head, [...proof, event(1)])).toBe(false);
        if (old < size) expect(isExtension(head, older, proof)).toBe(false);
      }
    }
  });

  test("begins with nothing", () => {
    const empty = { size: 0, root: rootOf([]) };
    expect(isExtension(empty, { size: 2, root: rootOf(events(2)) }, [])).toBe(true);
    expect(isExtension(empty, empty, [])).toBe(true);
    expect(isExtension({ size: 0, root: event(1) }, empty, [])).toBe(false);
  });

  test("hashes as RFC 9162 says", () => {
    expect(toHex(leafHash(new Uint8Array()))).toBe(
      "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    );
  });
});

describe("a checkpoint", () => {
  const key = makeKey(1);
  const text = makeCheckpoint(events(3), key).text;

  test("is parsed, with signatures of unknown keys", async () => {
    const cosigned = `${text}— witness.example AAAAAAAAAAAAAAAA\n`;
    for (const written of [text, cosigned]) {
      const checkpoint = parseCheckpoint(bytesOf(written));
      expect(checkpoint).toMatchObject({ origin: "vault.example.org/log1", size: 3 });
      const known = parseKey(` ${key.vkey}\n`);
      if (!checkpoint || !known) throw new Error("refused");
      expect(await signatureBy(checkpoint, known)).toHaveLength(64);
      expect(await signatureBy({ ...checkpoint, body: "other\n" }, known)).toBeNull();
    }
  });

  test.each([
    ["\n3\n", "\n03\n"],
    ["\n3\n", "\n9007199254740993\n"],
    ["\n3\n", "\n-3\n"],
    ["\n\n", "\nextension\n\n"],
    ["\n\n", "\n"],
    ["— ", "- "],
    ["vault.example.org/log1", "vault example.org"],
    ["\n", "\r\n"],
    [" vault", "  vault"],
  ])("has one spelling: %j, not %j", (from, to) => {
    expect(text).toContain(from);
    expect(parseCheckpoint(bytesOf(text.replaceAll(from, to)))).toBeNull();
  });

  test("every flipped bit is refused", async () => {
    const bytes = bytesOf(text);
    const known = parseKey(key.vkey);
    if (!known) throw new Error("refused");
    for (let byte = 0; byte < bytes.length; byte++) {
      const checkpoint = parseCheckpoint(flipped(bytes, byte, byte % 8));
      if (checkpoint) expect(await signatureBy(checkpoint, known), `byte ${byte}`).toBeNull();
    }
  });
});

test.each([
  "",
  "vault.example.org/log1",
  makeKey(1).vkey.replace("+", "+0"),
  makeKey(1).vkey.slice(0, -4),
  makeKey(1).vkey.replace("log1", "log2"),
  makeKey(1).vkey.replace("vault.", "vault "),
])("%j is no key", (text) => {
  expect(parseKey(text)).toBeNull();
});

test("proofs and hashes have one spelling", () => {
  const proof = makeFiles().get("events/8.tlog-proof") ?? bytesOf("");
  const text = Buffer.from(proof).toString();
  expect(parseProof(proof)?.index).toBe(8);
  for (const [from, to] of [
    ["@v1", "@v2"],
    ["index 8", "index 08"],
    ["index 8", "extra AAAA\nindex 8"],
    ["index 8\n", ""],
    ["\n\n", "\n\n\n"],
  ] as const) {
    expect(parseProof(bytesOf(text.replace(from, to))), to).toBeNull();
  }
  const hash = `${Buffer.from(event(1)).toString("base64")}\n`;
  expect(parseHashes(bytesOf(""))).toEqual([]);
  expect(parseHashes(bytesOf(hash))).toEqual([event(1)]);
  for (const bad of ["\n", hash.trim(), `${hash}\n`, ` ${hash}`, hash.repeat(55)]) {
    expect(parseHashes(bytesOf(bad))).toBeNull();
  }
});

// RFC 8032 section 7.1, test 2.
const vector = {
  key: hex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"),
  message: hex("72"),
  signature: hex(
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
  ),
};

test.each([
  ["the browser", globalThis.crypto.subtle],
  ["the library", undefined],
  ["a browser without Ed25519", { importKey: () => Promise.reject(new Error()) }],
])("signatures are verified by %s", async (_, subtle) => {
  const { key, message, signature } = vector;
  // The default would be the browser's.
  const by = (subtle ?? null) as SubtleCrypto | undefined;
  expect(await isSignedBy(key, message, signature, by)).toBe(true);
  expect(await isSignedBy(key, hex("73"), signature, by)).toBe(false);
  expect(await isSignedBy(key, message, flipped(signature, 3, 1), by)).toBe(false);
  expect(await isSignedBy(flipped(key, 3, 1), message, signature, by)).toBe(false);
  expect(await isSignedBy(key, message, signature.slice(1), by)).toBe(false);
});

test("long texts have the same digest with and without the browser's SHA-256", async () => {
  const long = new Uint8Array(200_000).fill(7);
  expect(await digestOf(long)).toBe(createHash("sha256").update(long).digest("hex"));
});

test("base64 has one spelling", () => {
  expect(fromBase64("AAAA")).toHaveLength(3);
  for (const bad of ["AAA", "AAA=\n", "AAB=", "A A A A", "----"])
    expect(fromBase64(bad)).toBeNull();
});

describe("an event", () => {
  const files = makeFiles();
  const accepted = JSON.parse(Buffer.from(files.get("events/8.json") ?? "").toString());
  const parse = (change: object) =>
    parseEvent(bytesOf(writeCanonical(JSON.parse(JSON.stringify({ ...accepted, ...change })))));

  test.each([
    ["v", { v: 2 }],
    ["type", { type: "agreement.signed" }],
    ["at", { at: "2026-02-30T10:00:00.000000Z" }],
    ["at", { at: "2026-11-20T10:00:00Z" }],
    ["salt", { salt: "short" }],
    ["idea", { idea: undefined }],
    ["idea", { idea: 7 }],
    ["recipient", { recipient: null }],
    ["discloses", { discloses: { Person: "0".repeat(64) } }],
    ["discloses", { discloses: { person: "0".repeat(63) } }],
    ["vkey", { vkey: makeKey(1).vkey }],
    ["previous", { previous: { log: "other", checkpoint: "0".repeat(64) } }],
    ["abandoned", { abandoned: { log: "other", checkpoint: "0".repeat(64) } }],
    ["delivered", { delivered: undefined }],
    ["delivered", { delivered: true }],
    ["view", { view: "v1" }],
    ["more", { more: 1 }],
  ])("with a wrong field %s is refused: %j", (field, change) => {
    expect(parse({}).problem).toBeUndefined();
    expect(parse(change).problem).toBe(
      `The field ${field} is missing, malformed, or not of this type of event.`,
    );
  });
});
