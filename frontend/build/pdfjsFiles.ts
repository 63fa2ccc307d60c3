import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

/**
 * What it takes to ship pdf.js. Serves from our own origin what pdf.js fetches while it reads a PDF: character maps, the standard
 * fonts, decoders and one colour profile, each folder with its licences. The version in the address
 * stands in for a content hash, so that the files can be cached for
 * good. Leaves out of the bundle what we do not use.
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
    transform: {
      filter: { id: /\/pdfjs-dist\/legacy\/build\/pdf\.mjs$/ },
      handler(code) {
        if (!GLOBAL.test(code)) this.error("pdf.js does not export itself as expected any more");
        return { code: code.replace(GLOBAL, ""), map: null };
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
 * pdf.js also hangs all it has on the global object, which would keep its editors and form fields,
 * unused by us, in the bundle.
 */
const GLOBAL = /globalThis\.pdfjsLib = \{[^{}]*\};/;
