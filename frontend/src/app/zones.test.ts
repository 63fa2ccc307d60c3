import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const src = resolve(import.meta.dirname, "..");

/**
 * App modules that features and shared code may import: paths, the return address and the store's
 * types.
 */
const OPEN_APP_MODULES = ["app/paths", "app/returnTo", "app/hooks"];
const STORE_TYPES = /import type [^;]* from "@\/app\/store";/g;

/** Tests and their helpers may use everything. */
const TEST_CODE = /\.test\.tsx?$|(^|\/)testing\/|\/test[A-Z]\w*\.tsx?$/;

const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter(
  (file) => /\.tsx?$/.test(file) && !TEST_CODE.test(file),
);

function importsOf(file: string): string[] {
  const text = readFileSync(join(src, file), "utf8").replace(STORE_TYPES, "");
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].flatMap(([, target = ""]) => {
    if (target.startsWith("@/")) return [target.slice(2)];
    if (target.startsWith(".")) return [relative(src, resolve(src, dirname(file), target))];
    return [];
  });
}

const zoneOf = (path: string) =>
  path
    .split("/")
    .slice(0, path.startsWith("features/") ? 2 : 1)
    .join("/");

/** Whether code in one zone may import from another: app, then features, then shared. */
function mayImport(from: string, target: string): boolean {
  const to = zoneOf(target);
  if (from === to || from === "app") return true;
  if (to === "app") return OPEN_APP_MODULES.includes(target);
  return !to.startsWith("features/") && to !== "testing";
}

test("the import graph is read at all", () => {
  expect(importsOf("app/router.tsx")).toContain("app/routes/login");
  expect(importsOf("features/auth/LoginPage.tsx")).toContain("ui/PageHeading");
});

test("a feature may not import another, nor shared code a feature", () => {
  expect(mayImport("features/auth", "features/ideas/messages")).toBe(false);
  expect(mayImport("ui", "features/ideas/messages")).toBe(false);
  expect(mayImport("features/auth", "app/router")).toBe(false);
  expect(mayImport("features/auth", "ui/Button")).toBe(true);
});

test("every import goes from app to features to shared code", () => {
  const wrong = files.flatMap((file) =>
    importsOf(file)
      .filter((target) => !mayImport(zoneOf(file), target))
      .map((target) => `${file} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});
