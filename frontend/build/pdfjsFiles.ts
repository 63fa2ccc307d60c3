import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";
import { brotliDictionary, polyfills, reducedEngine, reducedWorker } from "./pdfjsSource.ts";

const home = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
const { version }: { version: string } = JSON.parse(
  readFileSync(join(home, "package.json"), "utf8"),
);
/** The version replaces a content hash, so that the files can be cached for good. */
const prefix = `assets/pdfjs-${version}/`;
const DICTIONARY = `${prefix}brotli/dictionary.json`;
const FOLDERS = ["cmaps", "iccs", "standard_fonts", "wasm"];

/**
 * Vite plugin that serves from our own origin what pdf.js fetches while it reads a PDF: character
 * maps, the standard fonts, decoders and one colour profile, each folder with its licences.
 */
export function pdfjsFiles(): Plugin {
  const files = new Map<string, () => string | Buffer>([[DICTIONARY, readDictionary]]);
  for (const folder of FOLDERS) {
    for (const file of readdirSync(join(home, folder))) {
      files.set(`${prefix}${folder}/${file}`, () => readFileSync(join(home, folder, file)));
    }
  }
  return {
    name: "pdfjs-files",
    generateBundle() {
      for (const [fileName, read] of files) {
        this.emitFile({ type: "asset", fileName, source: read() });
      }
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const name = (request.url ?? "").slice(1);
        const read = files.get(name);
        if (!read) return next();
        if (name.endsWith(".js")) response.setHeader("Content-Type", "text/javascript");
        response.end(read());
      });
    },
  };
}

const workerSource = readFileSync(join(home, "build/pdf.worker.mjs"), "utf8");
const readDictionary = () => brotliDictionary(workerSource);

/** The comment that pdf.js begins with. */
export const pdfjsLicence = /^\/\*\*[\s\S]*?\*\//.exec(workerSource)?.[0] ?? "";

/**
 * Vite plugin that reduces pdf.js to what this viewer uses. Of the legacy build of the part that
 * draws, only the polyfills remain.
 */
export function pdfjsSource(): Plugin {
  return {
    name: "pdfjs-source",
    transform: {
      // Not the module that imports the address of the worker.
      filter: { id: /\/pdfjs-dist\/(?:legacy\/)?build\/pdf(?:\.worker)?\.mjs(?!.*[?&]url)/ },
      handler: (code, id) => ({ code: reduced(code, id), map: null }),
    },
  };
}

function reduced(code: string, id: string): string {
  if (id.includes("/pdf.worker.mjs")) return reducedWorker(code, `/${DICTIONARY}`);
  return id.includes("/legacy/") ? polyfills(code) : reducedEngine(code);
}
