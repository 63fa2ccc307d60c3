/** The DOM's own operations, which a translator uses beside those of the page. */
const { insertBefore, removeChild } = Node.prototype;

const UNTRANSLATED = "[translate=no], .notranslate, [contenteditable=true]";
const SKIPPED = /^(SCRIPT|STYLE|TEXTAREA|NOSCRIPT|CODE|FONT)$/;

/** How translators put their text in the place of the page's. */
export type Replacement = "replaces" | "inserts and removes" | "joins neighbours";

/** Translates the page like a browser, now and whenever it changes; returns what ends that. */
export function translate(how: Replacement): () => void {
  const below = (root: Node) => {
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts = root instanceof Text ? [root] : [];
    while (walk.nextNode()) texts.push(walk.currentNode as Text);
    for (const text of texts) replace(text, how);
  };
  below(document.body);
  const observer = new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (node.isConnected && node.nodeName !== "FONT") below(node);
    }
  });
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}

function replace(text: Text, how: Replacement): void {
  const parent = text.parentElement;
  if (!parent || SKIPPED.test(parent.tagName) || !text.data.trim()) return;
  if (parent.closest(UNTRANSLATED)) return;
  const outer = document.createElement("font");
  const inner = document.createElement("font");
  outer.append(inner);
  const texts = [text];
  if (how === "joins neighbours") {
    for (let next = text.nextSibling; next instanceof Text; next = next.nextSibling)
      texts.push(next);
  }
  inner.textContent = `«${texts.map(({ data }) => data).join("")}»`;
  if (how === "replaces") {
    text.replaceWith(outer);
    return;
  }
  insertBefore.call(parent, outer, text);
  for (const each of texts) removeChild.call(parent, each);
}
