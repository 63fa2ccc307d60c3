// Writes an HTML document for each page into dist/shells, with the page's title, its style sheets
// and first scripts, links to exactly the other files that it needs, and the markup that can be
// shown before any script has run. The server picks by shells/routes.json and renders them, as Jinja
// templates, with the nonce and the operator's settings. Paths without a shell get index.html.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "vite";
import {
  dist,
  entryFile,
  filesOf,
  firstFile,
  modulesOf,
  pdfModules,
  pdfWorkerFiles,
  scriptsWithin,
} from "../build/chunks.mjs";
import { pages } from "../build/pages.mjs";
import { usedStyles, withoutFonts } from "../build/usedStyles.mjs";

const FALLBACK = "notFound";
const built = readFileSync(new URL("index.html", dist), "utf8");
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));
const sheets = [...new Set(Object.values(manifest).flatMap(({ css = [] }) => css))];
const { markup, notice } = await renderAll();

mkdirSync(new URL("shells/", dist), { recursive: true });
for (const page of pages) {
  const file = page.name === FALLBACK ? "index.html" : `shells/${page.name}.html`;
  writeFileSync(new URL(file, dist), documentOf(page, markup.get(page.name)));
}
const routes = pages
  .filter(({ name }) => name !== FALLBACK)
  .flatMap(({ name, paths, personal }) =>
    paths.map((path) => ({ path, shell: name, ...(personal && { personal }) })),
  );
const table = {
  scripts: ["theme.js", "early.js", "sheets.js"].map((name) => hashOf(textOf(name))),
  routes,
};
writeFileSync(new URL("shells/routes.json", dist), `${JSON.stringify(table, null, 2)}\n`);
process.stdout.write(`wrote ${pages.length} shells\n`);

function documentOf(page, content) {
  const modules = modulesOf(page);
  const { scripts } = filesOf(modules);
  // The viewer would wait for its style sheet.
  const { styles } = filesOf(page.name === "document" ? [...modules, ...pdfModules] : modules);
  const possible = [built, content, notice, ...scriptsWithin(page).map(textOf)].join("\n");
  const head = [
    `<script>${textOf("theme.js")}</script>`,
    ...(["recipient", "signedIn"].includes(page.access) ? [earlyScript(page, scripts)] : []),
    // In the document, because the first paint waits for them: what this page can need.
    ...styles.flatMap((file) => [
      `<style nonce="{{ csp_nonce }}">${usedStyles(textOf(file), possible, othersThan(file))}</style>`,
      // Never loaded: chunks that need a style sheet look for its link.
      `<link rel="stylesheet" disabled crossorigin data-href="/${file}">`,
      // Loaded for the next page (src/ui/styles/allStyles.ts).
      `<link rel="stylesheet" disabled crossorigin data-whole data-href="/${wholeSheet(file)}">`,
    ]),
    `<script>${textOf("sheets.js")}</script>`,
    // Asynchronous, so that it is evaluated in a task of its own.
    `<script type="module" async crossorigin src="/${firstFile}"></script>`,
    `<script type="module" crossorigin src="/${entryFile}"></script>`,
    ...scripts
      .filter((file) => file !== entryFile && file !== firstFile)
      // Low priority: the markup in the document waits for none of them.
      .map((file) => `<link rel="modulepreload" fetchpriority="low" crossorigin href="/${file}">`),
    ...fontLinks(page),
  ];
  const filled = once(
    once(
      once(
        // Vite's own tags give way to those of this page, in the order in which they are needed.
        built.replaceAll(/^ *<(?:script |link rel="(?:modulepreload|stylesheet)").*\n/gm, ""),
        "</head>",
        `  ${head.join("\n    ")}\n  </head>`,
      ),
      "<title>IdeaVault</title>",
      `<title>${page.title} · {{ vault.name }}</title>`,
    ),
    '<div id="root"></div>',
    `<div id="root">${content}</div>`,
  );
  return once(
    once(described(filled, page), "<noscript>IdeaVault ", "<noscript>{{ vault.name }} "),
    '<div id="cookies"></div>',
    `<div id="cookies">${notice}</div>`,
  );
}

/** Returns the other style sheets, each of which a page may load later. */
function othersThan(file) {
  return sheets.filter((other) => other !== file).map(textOf);
}

/** Begins the page's first calls at once, and loads the viewer if its link leads to a PDF. */
function earlyScript(page, scripts) {
  const link = page.access === "recipient" ? " data-opens-share" : "";
  const modules = filesOf(pdfModules).scripts.filter((file) => !scripts.includes(file));
  const viewer = page.name === "document" ? viewerAttributes(modules) : "";
  return `<script${link}${viewer}>${textOf("early.js")}</script>`;
}

function viewerAttributes(modules) {
  const { modern, legacy } = pdfWorkerFiles();
  const attributes = [
    `data-pdf-worker="/${modern}"`,
    `data-pdf-legacy-worker="/${legacy}"`,
    `data-pdf-modules="${modules.map((file) => `/${file}`).join(" ")}"`,
  ];
  return `{% if document and document.pdf %} data-pdf="{{ document.pdf }}"{% endif %} ${attributes.join(" ")}`;
}

/** Returns the text of a built file as it stands in a document: scripts without their comments. */
function textOf(file) {
  const text = readFileSync(new URL(file, dist), "utf8").trim();
  return file.endsWith(".js") ? text.replaceAll(/^ *\/\/.*\n/gm, "") : text;
}

/** Writes the style sheet that completes the one in a document, and returns its file. */
function wholeSheet(file) {
  const sheet = withoutFonts(textOf(file));
  const hash = createHash("sha256").update(sheet).digest("hex").slice(0, 8);
  const whole = `assets/whole-${hash}.css`;
  writeFileSync(new URL(whole, dist), sheet);
  return whole;
}

/** Returns the source expression that allows an inline script. */
function hashOf(script) {
  return `sha256-${createHash("sha256").update(script).digest("base64")}`;
}

/** Sets the description and the link preview of pages that have one of their own. */
function described(text, { title, description }) {
  if (description === undefined) return text;
  const meta = /<meta name="description" content="[^"]*" \/>/;
  if (!meta.test(text)) throw new Error("index.html has no description");
  return text.replace(
    meta,
    () => `<meta name="description" content="${description}" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />`,
  );
}

function once(text, found, replacement) {
  if (text.split(found).length !== 2)
    throw new Error(`index.html must contain exactly one ${found}`);
  return text.replace(found, () => replacement);
}

/** Returns the links to the fonts that the first text of a page is set in. */
function fontLinks({ name, hasText = false }) {
  const links = ["public-sans-basic", "source-serif-4-semibold"].map(fontLink);
  if (hasText) {
    const link = fontLink("source-serif-4-regular");
    links.push(
      name === "document" ? `{% if not (document and document.pdf) %}${link}{% endif %}` : link,
    );
  }
  return links;
}

function fontLink(name) {
  const font = Object.values(manifest).find(({ src }) => src?.endsWith(`/${name}.woff2`));
  if (!font) throw new Error(`The manifest has no font ${name}`);
  return `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font.file}">`;
}

/** Renders the shell components once, at build time. */
async function renderAll() {
  const vite = await createServer({
    server: { middlewareMode: true, hmr: false, watch: null },
    appType: "custom",
    logLevel: "error",
    optimizeDeps: { noDiscovery: true },
  });
  try {
    const { renderShell, renderCookieNotice } = await vite.ssrLoadModule("/src/app/shells.tsx");
    const markup = new Map();
    for (const page of pages) markup.set(page.name, await renderShell(page));
    return { markup, notice: renderCookieNotice() };
  } finally {
    await vite.close();
  }
}
