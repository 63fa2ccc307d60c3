// Compares each route's initial JavaScript (gzip) with its budget: the entry and the route's chunks
// with everything they import statically, as Vite's manifest lists it. Run after a build.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const dist = new URL("../dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));

const ENTRY = "index.html";
const SIGNED_IN = "signedIn";
const PDF = ["src/features/recipient/content/PdfContent.tsx", "src/pdf/engine.ts"];
const budgets = [
  ["/", 120, ["landing"]],
  ["/login", 150, ["login"]],
  ["/register", 150, ["register"]],
  ["/collect", 145, ["collect"]],
  ["/nda", 130, ["nda"]],
  ["/document", 125, ["document"]],
  // Without its worker, which travels beside it.
  ["/document PDF", 265, ["document", ...PDF]],
  ["/dashboard", 175, [SIGNED_IN, "dashboard"]],
  ["/share", 185, [SIGNED_IN, "share"]],
  ["/profile", 175, [SIGNED_IN, "profile"]],
  ["/editor", 260, [SIGNED_IN, "editor"]],
];

function chunksOf(key, found = new Set()) {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`The manifest has no ${key}. Was the frontend built?`);
  if (found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const imported of chunk.imports ?? []) chunksOf(imported, found);
  return found;
}

const sizes = new Map();
function gzipSize(file) {
  if (!sizes.has(file))
    sizes.set(file, gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length);
  return sizes.get(file);
}

let over = false;
for (const [route, budget, parts] of budgets) {
  const files = new Set();
  for (const part of [ENTRY, ...parts]) {
    chunksOf(part.includes(".") ? part : `src/app/routes/${part}.tsx`, files);
  }
  const kilobytes = [...files].reduce((sum, file) => sum + gzipSize(file), 0) / 1000;
  const fits = kilobytes <= budget;
  over ||= !fits;
  const row = [
    route.padEnd(14),
    kilobytes.toFixed(1).padStart(7),
    "KB of",
    String(budget).padStart(4),
  ];
  process.stdout.write(`${row.join(" ")} ${fits ? "" : "  OVER"}\n`);
}
process.exitCode = over ? 1 : 0;
