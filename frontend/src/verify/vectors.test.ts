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
const { bases, vectors }: Vectors = JSON.parse(
  readFileSync("../crates/evidence/tests/vectors.json", "utf8"),
);

const bytesIn = (contents: string | { base64: string }): Bytes =>
  typeof contents === "string"
    ? bytesOf(contents)
    : new Uint8Array(Buffer.from(contents.base64, "base64"));

describe.each(vectors)("$name", ({ base, files, lists, code, fails, shows }) => {
  test(code === 1 ? "is false" : "is true", async () => {
    const { key, files: others } = bases[base] ?? { key: "", files: {} };
    const all: Files = new Map();
    for (const [path, contents] of Object.entries({ ...others, ...files })) {
      if (contents !== null) all.set(path, bytesIn(contents));
    }
    const bundle = zipped(withIndex(all, lists));
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
