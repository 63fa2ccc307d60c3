/**
 * Lets React work on a page that the browser translates. Translators replace text nodes by `<font>`
 * elements, of which React knows nothing: it would fail when it removes such a text or inserts
 * something before it, and nobody would see what it writes into it. So a text comes back to its
 * place before React uses it, and when React changes it; the translator then translates it anew.
 */

/** The elements that stand in the page for texts, each with its text. */
const standIns = new WeakMap<Text, ChildNode>();
const originals = new WeakMap<Node, readonly Text[]>();

let isTranslated = false;

/** Called once for a page, before React renders. Returns what undoes it. */
export function keepTranslatable(): () => void {
  const { appendChild, insertBefore, removeChild } = Node.prototype;
  const observer = new MutationObserver((records) => learn(records, observer));
  // With the data of texts, those are observed which have just left the page, too.
  observer.observe(document, { childList: true, characterData: true, subtree: true });

  /** Puts a text back that React takes for a child of `parent`. */
  const bringBack = (node: Node | null, parent: Node) => {
    if (!isText(node) || node.parentNode === parent) return;
    learn(observer.takeRecords(), observer);
    restore(node);
  };
  /** Puts a text back that is going to be moved, since nothing must stay for it. */
  const release = (node: Node) => {
    if (isText(node) && standIns.has(node)) restore(node);
  };

  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    bringBack(child, this);
    if (!isTranslated) return removeChild.call(this, child) as T;
    if (child.parentNode) removeChild.call(child.parentNode, child);
    // An element beside a text that React removes does not stand for it.
    if (isText(child)) learn(observer.takeRecords(), observer, child);
    return child;
  };

  Node.prototype.insertBefore = function <T extends Node>(
    this: Node,
    node: T,
    next: Node | null,
  ): T {
    release(node);
    bringBack(next, this);
    return insertBefore.call(this, node, isTranslated ? childAround(next, this) : next) as T;
  };

  Node.prototype.appendChild = function <T extends Node>(this: Node, node: T): T {
    release(node);
    return appendChild.call(this, node) as T;
  };

  return () => {
    observer.disconnect();
    Object.assign(Node.prototype, { appendChild, insertBefore, removeChild });
  };
}

/** Learns what a translator has done, and shows what React has written since. */
function learn(records: MutationRecord[], observer: MutationObserver, removedByReact?: Text): void {
  for (const record of records) {
    const { target } = record;
    if (isText(target) && !target.isConnected) restore(target);
    for (const removed of record.removedNodes) {
      const stoodFor = originals.get(removed);
      const texts = stoodFor ?? (isText(removed) ? [removed] : []);
      const standIn = removed === removedByReact ? null : standInOf(record, stoodFor);
      if (!standIn || texts.length === 0) continue;
      isTranslated = true;
      for (const text of texts) {
        observer.observe(text, { characterData: true });
        standIns.set(text, standIn);
      }
      originals.set(standIn, [...(originals.get(standIn) ?? []), ...texts]);
    }
  }
}

/**
 * Returns what has come in the place of a node: in the same step, or beside it in an earlier one,
 * possibly for several nodes at once. What stood for texts is followed by anything but these, for
 * instance when the translator shows the original page.
 */
function standInOf(
  { addedNodes: [added], previousSibling, nextSibling }: MutationRecord,
  stoodFor: readonly Node[] | undefined,
): ChildNode | null {
  const found = added ? [added] : [previousSibling, nextSibling];
  const isStandIn = (node: Node | null) =>
    node?.nodeName === "FONT" || (node === added && stoodFor?.includes(node) === false);
  return (found.find(isStandIn) as ChildNode | undefined) ?? null;
}

/** Puts a text back into the place of what stands for it. */
function restore(text: Text): void {
  const standIn = standIns.get(text);
  if (!standIn) return;
  const texts = originals.get(standIn) ?? [];
  for (const each of texts) standIns.delete(each);
  originals.delete(standIn);
  standIn.replaceWith(...texts);
}

/** Returns the child of `parent` that is or contains the node; null, the end, when there is none. */
function childAround(node: Node | null, parent: Node): Node | null {
  let child = node;
  while (child && child.parentNode !== parent) child = child.parentNode;
  return child;
}

const isText = (node: Node | null): node is Text => node?.nodeType === Node.TEXT_NODE;
