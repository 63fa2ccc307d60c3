import { describe, expect, test } from "vitest";
import { findCycles, importsIn, readImports } from "@/testing/imports";

/**
 * The folders of `src` from the lowest layer to the highest, and what each may import besides
 * itself (docs/architecture.md#frontend). A folder in `features` is a layer of its own.
 */
const LAYERS = {
  // Beside src: the declaration of the pages, for the shells. Nothing of it reaches the browser.
  "../build": [],
  browser: [],
  routing: [],
  api: [],
  ui: ["browser", "routing"],
  store: ["browser", "api"],
  verify: [],
  content: ["api", "ui"],
  pdf: ["ui"],
  sharing: ["routing", "api", "ui", "store"],
  notices: ["routing", "api", "ui", "store"],
  account: ["routing", "api", "ui", "store", "notices"],
  evidence: ["routing", "api", "ui", "store"],
  layout: ["routing", "ui", "store", "account"],
  features: [
    "browser",
    "routing",
    "api",
    "ui",
    "store",
    "content",
    "pdf",
    "sharing",
    "notices",
    "account",
    "layout",
    "evidence",
    "verify",
  ],
  app: ["../build", "browser", "routing", "api", "ui", "store", "account", "layout", "features"],
} as const satisfies Record<string, readonly string[]>;

/** Tests and their helpers may import everything; nothing else may import them. */
const isTestCode = (module: string) =>
  /\.test\.tsx?$|^testing\/|\/testing\/|\/test[A-Z]\w*\.tsx?$/.test(module);

/** The folder of a module; each feature is a folder of its own. */
const folderOf = (module: string) =>
  module.split("/", /^(features|\.\.)\//.test(module) ? 2 : 1).join("/");

const layerOf = (folder: string) => folder.replace(/^features\/.*/, "features");

function mayImport(module: string, target: string): boolean {
  if (isTestCode(module)) return true;
  if (isTestCode(target)) return false;
  const [from, to] = [folderOf(module), folderOf(target)];
  if (from === to) return true;
  const allowed: Readonly<Record<string, readonly string[]>> = LAYERS;
  return allowed[layerOf(from)]?.includes(layerOf(to)) ?? false;
}

const graph = readImports();
const arrows = [...graph].flatMap(([module, targets]) =>
  targets.map((target) => [module, target] as const),
);

describe("the reader of imports", () => {
  test("finds every kind of import", () => {
    const text = `
      import type { A } from "./a";
      import "./b";
      export * from "./c";
      export { d } from "./d";
      const load = () => import("./e");
      type F = typeof import("./f");
      const text = 'import "./g"'; // import "./h"
    `;
    const expected = ["./a", "./b", "./c", "./d", "./e", "./f"];
    expect(importsIn("module.ts", text).toSorted()).toEqual(expected);
  });

  test("reads the source code", () => {
    expect(graph.get("app/RootLayout.tsx")).toContain("layout/ToastArea.tsx");
    expect(graph.get("store/store.ts")).toContain("api/enhanced.ts");
  });

  test("finds import cycles", () => {
    const graph: [string, string[]][] = [
      ["a", ["b", "c"]],
      ["b", ["c"]],
      ["c", ["d"]],
      ["d", ["b"]],
    ];
    expect(findCycles(new Map(graph))).toEqual([["b", "c", "d", "b"]]);
    expect(findCycles(new Map(graph.slice(0, 3)))).toEqual([]);
  });
});

describe("layers", () => {
  test("no layer lists a higher one", () => {
    const order = Object.keys(LAYERS);
    const upward = Object.entries(LAYERS).flatMap(([layer, lower]) =>
      lower.filter((other) => order.indexOf(other) >= order.indexOf(layer)),
    );
    expect(upward).toEqual([]);
  });

  test.each([
    ["a feature imports another", "features/auth/LoginPage.tsx", "features/ideas/messages.ts"],
    ["shared code imports a feature", "sharing/CommentForm.tsx", "features/ideas/messages.ts"],
    ["a feature imports the app", "features/auth/LoginPage.tsx", "app/router.tsx"],
    ["the store imports a feature", "store/store.ts", "features/recipient/visit.ts"],
    ["a component of ui imports the store", "ui/Button.tsx", "store/hooks.ts"],
    ["a feature imports the declaration of the pages", "features/auth/a.ts", "../build/pages.mjs"],
    ["an unknown folder imports something", "elsewhere/module.ts", "ui/Button.tsx"],
    ["the application imports a test's helper", "ui/Button.tsx", "testing/api.ts"],
  ])("refuses that %s", (_, module, target) => {
    expect(mayImport(module, target)).toBe(false);
  });

  test("every import goes to a lower layer", () => {
    const upward = arrows.filter(([module, target]) => !mayImport(module, target));
    expect(upward.map(([module, target]) => `${module} imports ${target}`)).toEqual([]);
  });

  test("no modules import each other in a cycle", () => {
    expect(findCycles(graph).map((cycle) => cycle.join(" > "))).toEqual([]);
  });
});
