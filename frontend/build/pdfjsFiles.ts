import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

/**
 * Vite plugin that ships pdf.js. Serves from our own origin what pdf.js fetches while it reads a
 * PDF (character maps, the standard fonts, decoders and one colour profile), each folder with its
 * licences. The version in the path replaces a content hash, so that the files can be cached for
 * good. Removes from the bundle what we do not use.
 */
export function pdfjsFiles(): Plugin {
  const home = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  const { version }: { version: string } = JSON.parse(
    readFileSync(join(home, "package.json"), "utf8"),
  );
  const prefix = `assets/pdfjs-${version}/`;
  const files = new Map(
    FOLDERS.flatMap((folder) =>
      readdirSync(join(home, folder)).map((file) => [
        `${prefix}${folder}/${file}`,
        join(home, folder, file),
      ]),
    ),
  );
  return {
    name: "pdfjs-files",
    config: () => ({
      resolve: { alias: [{ find: /^pdf-worker(?=\?|$)/, replacement: patientWorker(home) }] },
    }),
    transform: {
      filter: { id: /\/pdfjs-dist\/legacy\/build\/pdf\.mjs$/ },
      handler(code) {
        if (!GLOBAL.test(code)) this.error("pdf.js does not export itself as expected any more");
        return { code: code.replace(GLOBAL, "").replace(STATIC, IF_USED), map: null };
      },
    },
    generateBundle() {
      for (const [fileName, source] of files) {
        this.emitFile({ type: "asset", fileName, source: readFileSync(source) });
      }
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const source = files.get((request.url ?? "").slice(1));
        if (!source) return next();
        if (source.endsWith(".js")) response.setHeader("Content-Type", "text/javascript");
        response.end(readFileSync(source));
      });
    },
  };
}

const FOLDERS = ["cmaps", "iccs", "standard_fonts", "wasm"];

/**
 * pdf.js also assigns everything it has to the global object, which would keep its editors and form
 * fields, unused by us, in the bundle.
 */
const GLOBAL = /globalThis\.pdfjsLib = \{[^{}]*\};/;

/**
 * Static initializers would keep classes in the bundle as well: a bundler must assume that `new` or
 * reading a constant has side effects. Here they have none.
 */
const STATIC = /(\bstatic [#\w]+ = )(new .*|[A-Z]\w+\.\w+);$/gm;
const IF_USED = "$1/* @__PURE__ */ (() => $2)();";

/**
 * Patches the worker for slow connections. pdf.js reads the last page before it shows the first
 * one, to detect a damaged file, and on the way reads something of each page: a file with a picture
 * on each page would be fetched nearly whole. The patched worker does so only once a file has
 * turned out to be damaged. A patched copy instead of a changed bundle, so that the file name has
 * the hash of the content.
 */
function patientWorker(home: string): string {
  const source = readFileSync(join(home, "legacy/build/pdf.worker.min.mjs"), "utf8");
  if (!LAST_PAGE.test(source)) throw new Error("pdf.js does not check the last page as expected");
  const folder = join(home, "../.cache/pdf-worker");
  const file = join(folder, "pdf.worker.mjs");
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, source.replace(LAST_PAGE, "$2&&$1"));
  return file;
}

/** The first argument says whether the file has turned out to be damaged. */
const LAST_PAGE = /(await \w+\.ensureDoc\("checkLastPage",\[(\w+)\]\))/;
