// The files that a page loads, read from Vite's manifest.
import { readFileSync } from "node:fs";

/** Folder of the built frontend. */
export const dist = new URL("../dist/", import.meta.url);

const ENTRY = "index.html";
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));

/** What the router loads for a page besides its module. */
const MODULES_BY_ACCESS = {
  everyone: [],
  // Its guard is loaded only for somebody who has signed in before.
  signedOut: [],
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

/** What a page loads besides its own modules when it shows a PDF. */
export const pdfModules = ["src/features/recipient/content/PdfContent.tsx", "src/pdf/engine.ts"];

/** The web worker of pdf.js. */
export function pdfWorkerFile() {
  const assets = Object.values(manifest).flatMap((chunk) => chunk.assets ?? []);
  const worker = assets.find((file) => /\/pdf\.worker-[^/]*$/.test(file));
  if (!worker) throw new Error("The manifest has no worker of pdf.js");
  return worker;
}

/** Returns the modules that a page loads before any interaction. */
export const modulesOf = ({ module, access, atStart = [] }) => [
  module,
  ...MODULES_BY_ACCESS[access],
  ...atStart,
];

function chunkOf(module) {
  const chunk = manifest[module];
  if (!chunk) throw new Error(`The manifest has no ${module}. Was the frontend built?`);
  return chunk;
}
