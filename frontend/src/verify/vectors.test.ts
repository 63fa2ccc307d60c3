import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Bytes, bytesOf } from "./bytes";
import { parseKey } from "./checkpoint";
import { type Files, withIndex, zipped } from "./testing/makeBundle";
import { verifyBundle } from "./verify";

/** Text as it is, other bytes as base64; null for a file that is left out. */
type Contents = string | { base64: string } | null;

interface Vectors {
  bases: Record<string, { key: string; files: Record<string, Contents> }>;
  vectors: {
    name: string;
    base: string;
    files: Record<string, Contents>;
    lists?: Record<string, string[]>;
    code: number;
    fails?: string;
    shows?: string;
  }[];
}

/** Hostile bundles that all verifiers judge alike: `crates/evidence/tests/verify/vectors.rs`. */
const all = [
  { v: 2, file: "vectors.json" },
  { v: 1, file: "version1.json" },
].flatMap(({ v, file }) => {
  const text = readFileSync(`../crates/evidence/tests/${file}`, "utf8");
  const { bases, vectors }: Vectors = JSON.parse(text);
  return vectors.map((vector) => {
    const { key, files } = bases[vector.base] ?? { key: "", files: {} };
    return { ...vector, v, key, files: { ...files, ...vector.files } };
  });
});

const bytesIn = (contents: string | { base64: string }): Bytes =>
  typeof contents === "string"
    ? bytesOf(contents)
    : new Uint8Array(Buffer.from(contents.base64, "base64"));

const filesIn = (contents: Record<string, Contents>): Files =>
  new Map(
    Object.entries(contents).flatMap(([path, content]) =>
      content === null ? [] : [[path, bytesIn(content)] as const],
    ),
  );

describe.each(all)("version $v: $name", ({ v, key, files, lists, code, fails, shows }) => {
  test(code === 1 ? "is false" : "is true", async () => {
    const bundle = zipped(withIndex(filesIn(files), { v, ...lists }));
    const { claims } = await verifyBundle(bundle, { key: parseKey(key) });
    const lines = claims.map(({ subject, outcome }) =>
      outcome.kind === "holds" ? subject : `${outcome.kind} ${subject}: ${outcome.reason}`,
    );
    const failed = lines.filter((line) => line.startsWith("fails "));
    if (code !== 1) expect(failed).toEqual([]);
    else expect(failed).toContainEqual(expect.stringContaining(`fails ${fails}: `));
    if (shows !== undefined) expect(lines.join("\n")).toContain(shows);
    expect(lines.join(" ")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    // A stamp that may one day confirm the time is shown as such, and nothing else is.
    const isPromised = claims.some(
      ({ topic, outcome }) => topic === "bitcoin" && outcome.kind === "unknown",
    );
    if (code !== 1) expect(isPromised).toBe(code === 2);
  });
});

test("a bundle of version 1 has no report", async () => {
  const vector = all.find(({ v, code }) => v === 1 && code === 2);
  const files = filesIn(vector?.files ?? {}).set("report.html", bytesOf("<h1>Trust me</h1>"));
  const { claims } = await verifyBundle(zipped(withIndex(files, { v: 1 })));
  const failed = claims.filter(({ outcome }) => outcome.kind === "fails");
  expect(failed).toMatchObject([
    { subject: "report.html", outcome: { reason: "A bundle has no such file." } },
  ]);
});
