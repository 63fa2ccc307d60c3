import type { Page } from "playwright-core";

/**
 * Has a page translated, now and after each navigation, as browsers do it: from a world of its own,
 * each text is replaced by two `<font>` elements, and so is whatever appears later. The words stay,
 * so that tests find them; what counts are the nodes.
 */
export async function translate(page: Page): Promise<void> {
  // Open as long as the page: the script goes with its session.
  const session = await page.context().newCDPSession(page);
  await session.send("Page.enable");
  await session.send("Page.addScriptToEvaluateOnNewDocument", {
    source: `(${translator})()`,
    worldName: "translator",
    runImmediately: true,
  });
}

/** How many texts of a page are translated, and how many of those that must not be. */
export function translated(page: Page): Promise<{ texts: number; codes: number }> {
  return page.evaluate(() => ({
    texts: document.querySelectorAll("font font").length,
    codes: document.querySelectorAll("[translate=no] font").length,
  }));
}

function translator(): void {
  const skipped = /^(SCRIPT|STYLE|TEXTAREA|NOSCRIPT|TITLE|FONT)$/;
  const replace = (text: Text) => {
    const parent = text.parentElement;
    if (!parent || skipped.test(parent.tagName) || !text.data.trim()) return;
    if (parent.closest("[translate=no], .notranslate")) return;
    const outer = document.createElement("font");
    const inner = document.createElement("font");
    inner.textContent = text.data;
    outer.append(inner);
    parent.insertBefore(outer, text);
    parent.removeChild(text);
  };
  const below = (root: Node) => {
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts = root instanceof Text ? [root] : [];
    while (walk.nextNode()) texts.push(walk.currentNode as Text);
    for (const text of texts) replace(text);
  };
  const start = () => {
    below(document.body);
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
        if (node.isConnected && node.nodeName !== "FONT") below(node);
      }
    }).observe(document.body, { childList: true, subtree: true });
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
}
