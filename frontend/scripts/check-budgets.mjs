// Compares the JavaScript (gzip) that each route loads for its first useful state with its budget:
// the entry, the route and the modules it requests at once, with all their static imports.
// build/routes.json lists them, and a browser test checks that list. Run after a build.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { dist, filesOf, modulesOf, routes } from "../build/chunks.mjs";

const documentRoute = routes.find(({ name }) => name === "document");
const budgets = [
  ...routes.map((route) => [route.name, route.budget, modulesOf(route)]),
  // Without the pdf.js worker, which is loaded in parallel.
  [
    "document, PDF",
    265,
    [
      ...modulesOf(documentRoute),
      "src/features/recipient/content/PdfContent.tsx",
      "src/pdf/engine.ts",
    ],
  ],
];

const sizes = new Map();
function gzipSize(file) {
  if (!sizes.has(file))
    sizes.set(file, gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length);
  return sizes.get(file);
}

let over = false;
for (const [route, budget, modules] of budgets) {
  const kilobytes = filesOf(modules).scripts.reduce((sum, file) => sum + gzipSize(file), 0) / 1000;
  const isOver = kilobytes > budget;
  over ||= isOver;
  const row = [
    route.padEnd(15),
    kilobytes.toFixed(1).padStart(7),
    "KB of",
    String(budget).padStart(4),
  ];
  process.stdout.write(`${row.join(" ")}${isOver ? "   OVER" : ""}\n`);
}
process.exitCode = over ? 1 : 0;
