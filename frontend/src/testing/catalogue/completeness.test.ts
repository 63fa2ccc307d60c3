import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { calls } from "./rows/calls";
import { constants } from "./rows/constants";
import { fieldRules, otherRules } from "./rows/formRules";
import { failures, otherFailures, successes } from "./rows/messages";
import { routes } from "./rows/routes";
import { loadingStates, screens } from "./rows/screens";

/** Number of rows in each list, so that none is removed by mistake. */
const sizes = (lists: Record<string, object>) =>
  Object.fromEntries(Object.entries(lists).map(([area, rows]) => [area, Object.keys(rows).length]));

test("every list has all of its rows", () => {
  expect(routes).toHaveLength(21);
  expect(sizes({ screens, loadingStates })).toEqual({ screens: 29, loadingStates: 19 });
  expect(sizes({ fieldRules, otherRules })).toEqual({ fieldRules: 21, otherRules: 13 });
  expect(sizes(calls)).toEqual({ account: 8, ideas: 10, sharing: 9 });
  expect(sizes(failures)).toEqual({ account: 11, ideas: 11, sharing: 8 });
  expect(sizes({ otherFailures })).toEqual({ otherFailures: 5 });
  expect(sizes(successes)).toEqual({ account: 8, ideas: 5, sharing: 7 });
  expect(sizes(constants)).toEqual({ forms: 5, delays: 6, pages: 9, behaviour: 10, editor: 8 });
});

test("no row is listed twice", () => {
  for (const rows of [routes, otherRules, ...Object.values(calls), ...Object.values(constants)]) {
    expect(new Set<string>(rows).size).toBe(rows.length);
  }
});

test("every list is the list of a table", () => {
  const tests = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith(".test.ts") && file !== "completeness.test.ts")
    .map((file) => readFileSync(join(import.meta.dirname, file), "utf8"));
  const areas = (name: string, lists: object) =>
    Object.keys(lists).map((area) => `${name}.${area}`);
  const needed = [
    "routes",
    "screens",
    "loadingStates",
    "fieldRules",
    "otherRules",
    ...areas("calls", calls),
    ...areas("failures", failures),
    ...areas("successes", successes),
    ...areas("constants", constants),
  ];
  const table = (list: string) =>
    new RegExp(`eachRow\\(\\s*"[^"]+",\\s*(Object\\.keys\\()?${list.replace(".", "\\.")}\\b`);
  const missing = needed.filter((list) => !tests.some((text) => table(list).test(text)));
  expect(missing).toEqual([]);
  for (const name of Object.keys(otherFailures)) {
    expect(
      tests.some((text) => text.includes(name)),
      name,
    ).toBe(true);
  }
});
