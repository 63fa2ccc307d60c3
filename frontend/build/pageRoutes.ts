import { basename } from "node:path";
import type { Plugin } from "vite";
import { type Access, type Page, pages } from "./pages.mjs";

/**
 * Vite plugin that writes the module `virtual:pages` from the declaration of the pages: one list of
 * routes for each kind of access, each page a chunk of its own, with the component that is named
 * after it and, if it has one, its `prepare`. All but the first wait for the whole style sheet. The
 * declaration itself stays out of the bundle, because titles and budgets are of no use there.
 */
export function pageRoutes(): Plugin {
  return {
    name: "page-routes",
    resolveId: { filter: { id: /^virtual:pages$/ }, handler: () => RESOLVED },
    load: { filter: { id: /^\0virtual:pages$/ }, handler: () => moduleText() },
  };
}

/** The prefix tells other plugins that this is no file. */
const RESOLVED = "\0virtual:pages";

const KINDS: readonly Access[] = ["everyone", "signedOut", "recipient", "signedIn"];

function moduleText(): string {
  const lists = KINDS.map((access) => {
    const routes = pages.filter((page) => page.access === access).flatMap(routesOf);
    return `export const ${access} = [${routes.join(",\n")}];`;
  });
  return `import { loadAllStyles } from "@/ui/styles/allStyles";
let isFirst = true;
const screen = (load, name) => async () => {
  const styles = isFirst || loadAllStyles();
  isFirst = false;
  const [{ [name]: Component, prepare }] = await Promise.all([load(), styles]);
  return { Component, handle: { prepare } };
};
${lists.join("\n")}`;
}

const routesOf = ({ paths, module }: Page): string[] =>
  paths.map(
    (path) =>
      `{ path: "${path}", lazy: screen(() => import("/${module}"), "${basename(module, ".tsx")}") }`,
  );
