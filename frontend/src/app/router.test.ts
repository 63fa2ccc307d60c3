import { readFileSync } from "node:fs";
import { everyone, signedIn, signedOut } from "virtual:pages";
import { matchRoutes, type RouteObject } from "react-router";
import { expect, test } from "vitest";
import { paths } from "@/routing/paths";
import { createAppRuntime } from "@/store/store";
import { pages } from "../../build/pages.mjs";
import { createRoutes } from "./router";

const routes = createRoutes(createAppRuntime());

const patternsOf = (objects: RouteObject[]): string[] =>
  objects.flatMap(({ path, children }) => [...(path ? [path] : []), ...patternsOf(children ?? [])]);

test("the router has every page that is declared, and no other", () => {
  const declared = pages.flatMap((page) => page.paths);
  expect(patternsOf(routes).toSorted()).toEqual(declared.toSorted());
});

test("every page is declared with a module that has its component", async () => {
  for (const { path, lazy } of [...everyone, ...signedOut, ...signedIn]) {
    expect((await lazy()).Component, path).toBeTypeOf("function");
  }
});

test("every link that the application writes leads to a page", () => {
  const links: Record<keyof typeof paths, string> = {
    ...paths,
    editor: paths.editor(7),
    share: paths.share(7),
    evidence: paths.evidence(7),
    readers: paths.readers(7),
    preview: paths.preview("7"),
    record: paths.record("7"),
    collect: paths.collect("7"),
    view: paths.view("7"),
    nda: paths.nda("7"),
    document: paths.document("7"),
  };
  const leadingNowhere = Object.values(links).filter(
    (link) => matchRoutes(routes, link)?.at(-1)?.route.path === "*",
  );
  expect(leadingNowhere).toEqual([]);
});

test("the server withholds every page whose address has a token from search engines", () => {
  const source = readFileSync("../crates/web/src/http/headers.rs", "utf8");
  const list = /TOKEN_PAGES: \[&str; \d+\] = \[([^\]]*)\]/.exec(source)?.[1] ?? "";
  const withheld = Array.from(list.matchAll(/"([^"]+)"/g), ([, segment]) => segment);
  const segmentOf = (path: string) => path.split("/")[1];
  const withToken = pages
    .filter(({ access }) => access === "everyone")
    .flatMap((page) => page.paths.filter((path) => path.includes("/:")));
  expect(withToken.length).toBeGreaterThan(0);
  expect(withheld).toEqual(expect.arrayContaining(withToken.map(segmentOf)));
  // A page that was renamed would leave its old name there.
  const known = pages.flatMap((page) => page.paths).map(segmentOf);
  expect(known).toEqual(expect.arrayContaining(withheld));
});
