// The files that a route loads, read from Vite's manifest.
import { readFileSync } from "node:fs";

const here = new URL("./", import.meta.url);
const read = (address) => JSON.parse(readFileSync(address, "utf8"));

/** The routes: path, title, the modules they load and their JavaScript budget. */
export const routes = read(new URL("routes.json", here));
/** Folder of the built frontend. */
export const dist = new URL("../dist/", here);

const ENTRY = "index.html";
const manifest = read(new URL(".vite/manifest.json", dist));

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

/** Returns the modules that a route loads before any interaction. */
export const modulesOf = ({ module, atStart = [] }) => [module, ...atStart];

function chunkOf(module) {
  const chunk = manifest[module];
  if (!chunk) throw new Error(`The manifest has no ${module}. Was the frontend built?`);
  return chunk;
}
