// @ts-check
import postcss from "postcss";

/**
 * Returns a style sheet without the rules whose classes a page cannot have: those that stand nowhere
 * in its text, which is its markup and all the scripts that it may load; and without the custom
 * properties that neither the other rules, nor other style sheets, nor the text read. Their order
 * stays.
 *
 * @param {string} sheet
 * @param {string} text
 * @param {readonly string[]} others
 */
export function usedStyles(sheet, text, others = []) {
  const root = postcss.parse(sheet);
  root.walkRules((rule) => {
    const classes = classesIn(rule.selector);
    if (classes.length > 0 && !classes.some((name) => text.includes(name))) remove(rule);
  });
  removeUnusedProperties(root, [text, ...others].join("\n"));
  return root.toString();
}

/**
 * @param {import("postcss").Root} root
 * @param {string} outside
 */
function removeUnusedProperties(root, outside) {
  const read = new Set(propertiesIn(outside));
  root.walkDecls(({ value }) => {
    for (const name of propertiesIn(value)) read.add(name);
  });
  const isUsed = (/** @type {string} */ name) => read.has(name);
  root.walkDecls(/^--/, (declaration) => {
    if (!isUsed(declaration.prop)) remove(declaration);
  });
  root.walkAtRules("property", (rule) => {
    if (!isUsed(rule.params)) rule.remove();
  });
}

/**
 * Returns a style sheet without its fonts. Declared again by a second sheet, a font that came too
 * late for the first paint would be used after all, and move the text.
 *
 * @param {string} sheet
 */
export function withoutFonts(sheet) {
  const root = postcss.parse(sheet);
  root.walkAtRules("font-face", (rule) => {
    rule.remove();
  });
  return root.toString();
}

/** @param {string} text */
const propertiesIn = (text) => text.match(/(?<![\w-])--[a-z][\w-]*(?![\w-]|\s*:)/gi) ?? [];

/**
 * Removes a rule or declaration, and its parents if that leaves them empty.
 *
 * @param {import("postcss").ChildNode} node
 */
function remove(node) {
  const { parent } = node;
  node.remove();
  if (parent && parent.type !== "root" && parent.nodes?.length === 0) {
    remove(/** @type {import("postcss").Rule | import("postcss").AtRule} */ (parent));
  }
}

/** @param {string} selector */
function classesIn(selector) {
  const names = selector.match(/\.(?!\d)(?:\\[\da-f]{1,6} ?|\\.|[\w-])+/gi) ?? [];
  return names.map((name) =>
    name
      .slice(1)
      .replaceAll(/\\(?:([\da-f]{1,6}) ?|(.))/gi, (_, code, character) =>
        code ? String.fromCodePoint(Number.parseInt(code, 16)) : character,
      ),
  );
}
