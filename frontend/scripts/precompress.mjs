// Writes a .br and a .gz file beside every compressible asset in dist, so that the server can send
// compressed bytes without compressing on request.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const COMPRESSIBLE = new Set([
  ".js",
  ".mjs",
  ".css",
  ".svg",
  ".json",
  ".txt",
  ".map",
  ".webmanifest",
  ".wasm",
  ".ttf",
]);
const brotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
};

const dist = new URL("../dist/", import.meta.url).pathname;
const entries = await readdir(dist, { recursive: true, withFileTypes: true });
const files = entries
  .filter((entry) => entry.isFile() && COMPRESSIBLE.has(extname(entry.name)))
  .map((entry) => join(entry.parentPath, entry.name));

await Promise.all(
  files.map(async (file) => {
    const bytes = await readFile(file);
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(bytes, brotliOptions),
      promisify(gzip)(bytes, { level: 9 }),
    ]);
    await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
  }),
);
process.stdout.write(`precompressed ${files.length} files\n`);
