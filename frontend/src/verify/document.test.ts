import { describe, expect, test } from "vitest";
import { type Bytes, bytesOf, concat } from "./bytes";
import { parseKey } from "./checkpoint";
import type { Report } from "./report";
import { digest, makeFiles, makeKey } from "./testing/makeBundle";
import { refusalOf, verifyFile } from "./verify";

/** Writes a PDF that holds these files, as far as it matters here. */
const pdfOf = (files: readonly Bytes[], entries = ""): Blob =>
  new Blob([
    concat(
      bytesOf("%PDF-1.7\n1 0 obj\n<</Type/Catalog/Names<</EmbeddedFiles 2 0 R>>>>\nendobj\n"),
      ...files.flatMap((file, index) => [
        bytesOf(
          `${index + 3} 0 obj\n<<\n  /Length ${file.length}${entries}\n  /Type /EmbeddedFile\n  /Params <</Size 1>>\n>>\nstream\n`,
        ),
        file,
        bytesOf("\nendstream\nendobj\n"),
      ]),
    ),
  ]);

const facts = ["6-person", "6-terms", "6-agreement", "8-origin"];
const digests = facts.map((name) => {
  const json = makeFiles().get(`disclosures/${name}.json`) ?? bytesOf("");
  return [name.slice(2), digest(json)];
});
/** As the server records it, an acceptance names all of them. */
const receiptFiles = makeFiles({
  events: { 8: { revision: "1", discloses: Object.fromEntries(digests) } },
});
const file = (path: string): Bytes => receiptFiles.get(path) ?? bytesOf("");
const PARTS = [
  "events/8.json",
  "events/8.tlog-proof",
  "disclosures/6-person.json",
  "disclosures/6-terms.json",
  "disclosures/6-agreement.json",
  "disclosures/8-origin.json",
  "agreements/6.txt",
  "log/checkpoint",
  "log/vkey",
];
const receipt = (change: (path: string, part: Bytes) => Bytes | null = (_, part) => part) =>
  pdfOf([
    bytesOf('{"v":1,"vault":"IdeaVault"}'),
    ...PARTS.flatMap((path) => change(path, file(path)) ?? []),
  ]);
const without = (gone: string) => receipt((path, part) => (path === gone ? null : part));

const lines = ({ claims }: Report) =>
  claims.map(({ topic, subject, outcome }) => `${topic} ${subject} ${outcome.kind}`);
const failing = (report: Report) =>
  report.claims.flatMap(({ topic, outcome }) => (outcome.kind === "fails" ? topic : []));

async function refused(document: Blob): Promise<string | null> {
  return refusalOf(await verifyFile(document).catch((error: unknown) => error));
}

describe("a receipt", () => {
  test("holds with its key, and says who agreed to which version", async () => {
    const report = await verifyFile(receipt(), { key: parseKey(makeKey(1).vkey) });
    expect(lines(report)).toEqual([
      "files the pages of the PDF unknown",
      "signature checkpoint holds",
      "key vkey holds",
      "place event.tlog-proof holds",
      "event event.json holds",
      ...["agreement", "origin", "person", "terms"].map(
        (name) => `disclosure disclosure-${name}.json holds`,
      ),
      "terms agreement.txt holds",
    ]);
    expect(report.summary).toMatchObject({
      origin: "vault.example.org/log1",
      idea: "7",
      events: [
        {
          type: "agreement.accepted",
          person: "Grace Hopper",
          address: "grace@example.org",
          version: "1",
        },
      ],
    });
  });

  test("leaves open whose key it brings, and is nothing without one", async () => {
    const report = await verifyFile(receipt());
    expect(failing(report)).toEqual([]);
    expect(lines(report)).toContain("key vkey unknown");
    expect(await refused(without("log/vkey"))).toMatch(/does not bring the key/);
    const key = parseKey(makeKey(1).vkey);
    const given = await verifyFile(without("log/vkey"), { key });
    expect(lines(given)).toContain("signature checkpoint holds");
  });

  test.each(["disclosures/6-person.json", "agreements/6.txt"])(
    "without %s leaves it open",
    async (path) => {
      const whole = await verifyFile(receipt());
      const report = await verifyFile(without(path));
      expect(failing(report)).toEqual([]);
      const open = ({ claims }: Report) =>
        claims.filter(({ outcome }) => outcome.kind === "unknown").length;
      expect(open(report)).toBe(open(whole) + 1);
    },
  );

  test("fails with another key than the reader's", async () => {
    const other = await verifyFile(receipt(), { key: parseKey(makeKey(2).vkey) });
    expect(failing(other)).toEqual(["key"]);
  });

  test("fails with a version that is not that of what its event has", async () => {
    const event = { v: 2, revision: "1", discloses: Object.fromEntries(digests) };
    const files = makeFiles({ events: { 8: event } });
    const report = await verifyFile(pdfOf(PARTS.map((path) => files.get(path) ?? bytesOf(""))));
    expect(failing(report)).toEqual(["event"]);
  });

  test("leaves a time in the future open", async () => {
    const report = await verifyFile(receipt(), { now: 0 });
    expect(lines(report)).toContain("event event.json unknown");
  });

  test.each([
    ["another time in the event", "events/8.json", '"at":"20', '"at":"19', ["place"]],
    ["another hash in the proof", "events/8.tlog-proof", "index 8\n", "index 7\n", ["place"]],
    ["another root", "events/8.tlog-proof", "\n13\n", "\n12\n", ["signature", "place"]],
    ["no proof that can be read", "events/8.tlog-proof", "index 8\n", "index x\n", ["place"]],
  ])("fails with %s", async (_, path, from, to, topics) => {
    const report = await verifyFile(
      receipt((at, part) => {
        if (at !== path) return part;
        const text = new TextDecoder().decode(part);
        expect(text).toContain(from);
        return bytesOf(text.replace(from, to));
      }),
    );
    expect(failing(report)).toEqual(topics);
  });

  test("fails with a signature that is wrong", async () => {
    const report = await verifyFile(
      receipt((path, part) => {
        if (path !== "events/8.tlog-proof") return part;
        const text = new TextDecoder().decode(part);
        // In the middle of the signature, whose last characters hold fewer bits.
        const at = text.length - 40;
        const other = text[at] === "A" ? "B" : "A";
        return bytesOf(text.slice(0, at) + other + text.slice(at + 1));
      }),
    );
    expect(failing(report)).toEqual(["signature"]);
  });
});

test("a PDF without a proof is refused with what to do", async () => {
  expect(await refused(pdfOf([]))).toMatch(/no receipt or certificate/);
  expect(await refused(pdfOf([bytesOf("Hello")]))).toMatch(/as it was downloaded/);
  expect(await refused(without("events/8.tlog-proof"))).toMatch(/Download it again/);
  const compressed = pdfOf(PARTS.map(file), "/Filter/FlateDecode");
  expect(await refused(compressed)).toMatch(/no receipt or certificate/);
});

test("a length beyond the end of the file reads what is there", async () => {
  const cut = new Blob([
    bytesOf("%PDF-1.7\n3 0 obj\n<</Length 99999999999999999999/Type/EmbeddedFile>>\nstream\nx"),
  ]);
  expect(await refused(cut)).toMatch(/no receipt or certificate/);
});
