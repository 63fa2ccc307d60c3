// The files that a page loads, read from Vite's manifest.
import { readFileSync, statSync } from "node:fs";
import { pages } from "./pages.mjs";

/** Folder of the built frontend. */
export const dist = new URL("../dist/", import.meta.url);

const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));

const ENTRY = "index.html";

/** Modules that the router loads for a page besides its own. */
const MODULES_BY_ACCESS = {
  everyone: [],
  // Its guard is loaded only for somebody who has signed in before.
  signedOut: [],
  recipient: [],
  signedIn: ["src/app/guard.ts", "src/app/routes/SignedInLayout.tsx"],
};

/**
 * Returns the scripts and style sheets of these modules and of all that they import statically,
 * after those of the entry that every page loads.
 */
export function filesOf(modules) {
  const scripts = new Set();
  const styles = new Set();
  const visit = (chunk) => {
    if (scripts.has(chunk.file)) return;
    scripts.add(chunk.file);
    for (const style of chunk.css ?? []) styles.add(style);
    for (const key of chunk.imports ?? []) visit(manifest[key]);
  };
  for (const module of [ENTRY, ...modules]) visit(chunkOf(module));
  return { scripts: [...scripts], styles: [...styles] };
}

/** The entry chunk, which every page loads. */
export const entryFile = manifest[ENTRY].file;

/** The chunk that evaluates React: see src/app/react.ts. */
export const firstFile = chunkNamed("first").file;

/** Modules that a page loads besides its own when it shows a PDF. */
export const pdfModules = ["src/features/recipient/content/PdfContent.tsx", "src/pdf/engine.ts"];

/** The web workers of pdf.js: the modern one, and that of older browsers. */
export function pdfWorkerFiles() {
  const assets = Object.values(manifest).flatMap((chunk) => chunk.assets ?? []);
  const workers = assets.filter((file) => /\/pdf\.worker-[^/]*$/.test(file));
  const sizes = new Map(workers.map((file) => [file, statSync(new URL(file, dist)).size]));
  const [modern, legacy, ...others] = [...sizes.keys()].sort((a, b) => sizes.get(a) - sizes.get(b));
  if (!legacy || others.length > 0) throw new Error(`The workers of pdf.js are ${workers}`);
  return { modern, legacy };
}

/** Returns the modules that a page loads before any interaction. */
export const modulesOf = ({ module, access, atStart = [] }) => [
  module,
  ...MODULES_BY_ACCESS[access],
  ...atStart,
];

/**
 * Returns the scripts of all that a page can show: its own files and, at any depth, what they load
 * later, but no other page.
 */
export function scriptsWithin(page) {
  const keys = new Set();
  const visit = (key) => {
    if (keys.has(key)) return;
    keys.add(key);
    const { imports = [], dynamicImports = [] } = manifest[key];
    for (const next of imports) visit(next);
    for (const next of dynamicImports) if (!isOfOtherPages(next, page)) visit(next);
  };
  for (const key of [ENTRY, ...modulesOf(page)]) visit(key);
  return [...keys].map((key) => manifest[key].file).filter((file) => file.endsWith(".js"));
}

/** Whether a module is the one of another page, with which the whole style sheet is loaded. */
const isOfOtherPages = (module, page) =>
  module !== page.module && pages.some((other) => other.module === module);

function chunkNamed(wanted) {
  const chunk = Object.values(manifest).find(({ name }) => name === wanted);
  if (!chunk) throw new Error(`The manifest has no chunk named ${wanted}`);
  return chunk;
}

function chunkOf(module) {
  const chunk = manifest[module];
  if (!chunk) throw new Error(`The manifest has no ${module}. Was the frontend built?`);
  return chunk;
}
