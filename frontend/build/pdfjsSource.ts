/**
 * Leaves out of pdf.js what this viewer never uses, and adapts it to slow connections, for which it
 * has no settings: docs/benchmarks.md#pdfjs has what each change saves. Each names the text that it
 * expects, so that an upgrade of pdf.js which changes that text fails the build. What nothing refers
 * to afterwards, the bundler removes.
 */
import { runInNewContext } from "node:vm";
import { changed, changedAll, missing } from "./changedSource.ts";

/** The worker of pdf.js, for files that are read by range and shown, but neither edited nor saved. */
export function reducedWorker(source: string, dictionaryAddress: string): string {
  return changed(withoutHandlers(source), [
    // Forms of XFA are disabled when a file is opened; texts of notes in XHTML are not shown.
    {
      find: /^class XFAFactory \{\n[\s\S]*?^\}/m,
      replacement: "class XFAFactory { static getRichTextAsHtml() { return null; } }",
    },
    { find: /\bgetXfaFontName\(fontName\.name\)/, replacement: "null" },
    {
      find: /^( {2}async #loadXfaFonts\()[\s\S]*?^ {2}\}$/m,
      replacement: "$1) {}",
    },
    // pdf.js reads the last page before it shows the first one, to detect a damaged file, and on
    // the way something of each page. Here only once a file has turned out to be damaged.
    {
      find: /\bawait pdfManager\.ensureDoc\("checkLastPage", \[recoveryMode\]\)/,
      replacement: "if (recoveryMode) $&",
    },
    // It also requests all pages to find one. None after the wanted one can be needed for that.
    {
      find: /\bcurrentNode === this\.toplevelPagesDict && lastKid instanceof Ref\b/,
      replacement: "last <= pageIndex && $&",
    },
    // The dictionary of Brotli is a fifth of the worker, and hardly a file is compressed like that.
    {
      find: BROTLI_DICTIONARY,
      replacement:
        "unpackDictionaryData(dictionaryData, ...readDictionary(), dictionarySizeBits, $2",
    },
    {
      find: /^let BrotliDecode = makeBrotliDecode\(\);$/m,
      replacement: `let decodeBrotli;
const BrotliDecode = (bytes) => (decodeBrotli ??= makeBrotliDecode())(bytes);
// Synchronous, as all decoders are.
function readDictionary() {
  const request = new XMLHttpRequest();
  request.open("GET", ${JSON.stringify(dictionaryAddress)}, false);
  request.send();
  return JSON.parse(request.responseText);
}`,
    },
  ]);
}

/** The dictionary of Brotli in the worker's source, as JSON. */
export function brotliDictionary(source: string): string {
  const [, strings] = BROTLI_DICTIONARY.exec(source) ?? [];
  if (strings === undefined) throw missing(BROTLI_DICTIONARY);
  return JSON.stringify(runInNewContext(`[${strings}]`));
}

const BROTLI_DICTIONARY =
  /\bunpackDictionaryData\(dictionaryData, (".*"), dictionarySizeBits, ("\w+"\);)$/m;

/** The part of pdf.js that draws. */
export function reducedEngine(source: string): string {
  const reduced = changed(source, [
    // pdf.js assigns everything it has to the global object, which would keep it in the bundle.
    { find: /globalThis\.pdfjsLib = \{[^{}]*\};/, replacement: "" },
  ]);
  // Annotations are not edited.
  const reader = changedAll(reduced, {
    find: /\b\w+ instanceof AnnotationEditor\b/g,
    replacement: "false",
  });
  return changedAll(reader, { find: STATIC, replacement: IF_USED });
}

/**
 * Static initializers would keep classes in the bundle: a bundler must assume that `new` or reading
 * a constant has side effects. Here they have none.
 */
const STATIC = /(\bstatic [#\w]+ = )(new .*|[A-Z]\w+\.#?\w+(?: \+ [A-Z]\w+\.#?\w+)*);$/gm;
const IF_USED = "$1/* @__PURE__ */ (() => $2)();";

/** Messages that the viewer sends to the worker (src/pdf/engine.ts, src/pdf/enginePage.ts). */
const USED = new Set([
  "Cleanup",
  "FontFallback",
  "GetAnnotations",
  "GetDestination",
  "GetOperatorList",
  "GetOptionalContentConfig",
  "GetPage",
  "GetPageIndex",
  "GetTextContent",
  "Ready",
  "Terminate",
]);

/** Removes the worker's handlers for everything else, such as saving a file. */
function withoutHandlers(source: string): string {
  const found = new Set<string>();
  const reduced = source.replaceAll(HANDLER, (handler, name: string) => {
    found.add(name);
    return USED.has(name) ? handler : "";
  });
  const absent = [...USED].filter((name) => !found.has(name));
  if (absent.length > 0) throw new Error(`The worker of pdf.js has no handler for ${absent}`);
  return reduced;
}

const HANDLER = /^ {4}handler\.on\("(\w+)", (?:async )?function\b[\s\S]*?^ {4}\}\);\n/gm;

/**
 * Returns the polyfills that the legacy build of pdf.js begins with. It is the modern build
 * otherwise, so a browser needs either these polyfills or nothing.
 */
export function polyfills(source: string): string {
  const [library, ...modules] = source.split(/^(?=;\/\/ \.\/src\/)/m);
  const rest = modules.join("");
  const required = rest.match(/^var \w+ = __webpack_require__\(\d+\);$/gm) ?? [];
  const written = rest.match(/^if \(typeof [\w.]+ !== "function"\) \{[\s\S]*?^\}$/gm) ?? [];
  const known = new Set([...source.matchAll(CORE_JS)].map(([, name]) => name));
  const news = [...known].filter((name) => name && !KNOWN_POLYFILLS.includes(name));
  if (news.length > 0 || known.size === 0) {
    throw new Error(`Does src/pdf/modern.ts notice browsers without ${news}, new in pdf.js?`);
  }
  return [library, ...required, ...written].join("\n");
}

const CORE_JS = /\/core-js\/modules\/(\S+)\.js$/gm;

/** None of them is newer, in any browser, than what src/pdf/modern.ts looks for. */
const KNOWN_POLYFILLS = `
  es.array-buffer.detached es.array-buffer.transfer es.array-buffer.transfer-to-fixed-length
  es.array.push es.iterator.constructor es.iterator.drop es.iterator.every es.iterator.filter
  es.iterator.find es.iterator.flat-map es.iterator.for-each es.iterator.map es.iterator.reduce
  es.iterator.some es.iterator.take es.iterator.to-array es.json.parse es.json.stringify
  es.map.get-or-insert es.map.get-or-insert-computed es.math.sum-precise es.promise.try
  es.promise.with-resolvers es.set.difference.v2 es.set.intersection.v2
  es.set.is-disjoint-from.v2 es.set.is-subset-of.v2 es.set.is-superset-of.v2
  es.set.symmetric-difference.v2 es.set.union.v2 es.typed-array.with es.uint8-array.from-base64
  es.uint8-array.set-from-base64 es.uint8-array.set-from-hex es.uint8-array.to-base64
  es.uint8-array.to-hex es.weak-map.get-or-insert es.weak-map.get-or-insert-computed
  web.dom-exception.stack web.self web.url-search-params.delete web.url-search-params.has
  web.url-search-params.size web.url.parse`
  .trim()
  .split(/\s+/);
