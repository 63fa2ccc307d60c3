// Compares the JavaScript (gzip) that each page loads for its first useful state with its budget:
// the entry, the page and the modules it requests at once, with all their static imports.
// build/pages.mjs lists them, and a browser test checks that list. Run after a build.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { dist, filesOf, modulesOf, pdfModules } from "../build/chunks.mjs";
import { pages } from "../build/pages.mjs";

const documentPage = pages.find(({ name }) => name === "document");
const budgets = [
  ...pages.map((page) => [page.name, page.budget, modulesOf(page)]),
  // Without the pdf.js worker, which is loaded in parallel.
  ["document, PDF", 219, [...modulesOf(documentPage), ...pdfModules]],
];

const sizes = new Map();
function gzipSize(file) {
  if (!sizes.has(file))
    sizes.set(file, gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length);
  return sizes.get(file);
}

let over = false;
for (const [page, budget, modules] of budgets) {
  const kilobytes = filesOf(modules).scripts.reduce((sum, file) => sum + gzipSize(file), 0) / 1000;
  const isOver = kilobytes > budget;
  over ||= isOver;
  const row = [
    page.padEnd(15),
    kilobytes.toFixed(1).padStart(7),
    "KB of",
    String(budget).padStart(4),
  ];
  process.stdout.write(`${row.join(" ")}${isOver ? "   OVER" : ""}\n`);
}
process.exitCode = over ? 1 : 0;
