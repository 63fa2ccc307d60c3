import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { README, SCRIPT_DIGEST } from "./readme";
import { REPORT_BEGINNING } from "./reportPage";
import { digest } from "./testing/makeBundle";

const asset = (name: string) => readFileSync(`../crates/evidence/assets/${name}`);

// Where this fails, a text or the script was changed. Verifiers refuse bundles with another text, so
// that it changes with the version of the format only; the script may change.
test("the instructions, the report and the script are those that bundles have", () => {
  expect(digest(asset("README.txt"))).toBe(README);
  expect(digest(asset("report.html"))).toBe(REPORT_BEGINNING);
  expect(digest(asset("verify.py"))).toBe(SCRIPT_DIGEST);
});
