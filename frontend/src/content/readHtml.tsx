import { type CSSProperties, createElement, type ReactNode, Suspense } from "react";
import { linkAddress } from "@/ui/addresses";
import { lazyComponent } from "@/ui/lazyComponent";
import { ScrollRegion } from "@/ui/ScrollRegion";
import { imageAddress, videoId } from "./addresses";

// Lazy, because few documents have a video.
const VideoCard = lazyComponent(() => import("./VideoCard"), "VideoCard");

/** Allowed elements without attributes; some old names are mapped to current ones. */
const PLAIN = new Map(
  "p h1 h2 h3 blockquote ul pre strong em s code mark span sub sup thead tbody tfoot tr"
    .split(" ")
    .map((tag) => [tag, tag])
    .concat([
      ["b", "strong"],
      ["i", "em"],
      ["del", "s"],
      ["strike", "s"],
      ["h4", "h3"],
      ["h5", "h3"],
      ["h6", "h3"],
    ]) as [string, string][],
);
/** The page has its own h1, so the document's headings start one level lower for screen readers. */
const HEADING_LEVELS = new Map([
  ["h1", 2],
  ["h2", 3],
  ["h3", 4],
]);
const TABLE_PARTS = new Set(["table", "thead", "tbody", "tfoot", "tr"]);
/** Elements whose text is not content. */
const REMOVED_ELEMENTS = new Set([
  "script",
  "style",
  "template",
  "noscript",
  "title",
  "object",
  "svg",
  "math",
]);
const COLOUR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

/**
 * Converts stored HTML into React nodes, through the allow-list of the server's sanitizer. An
 * unknown element is replaced by its children; nothing reaches the page as markup.
 */
export function readHtml(html: string): ReactNode[] {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  return readChildren(body);
}

/** Reads children; passed on as one array, since as arguments a long text overflows the stack. */
function readChildren(parent: Element): ReactNode[] {
  // Text between rows or cells is layout, which React does not allow there.
  const nodes = TABLE_PARTS.has(parent.tagName.toLowerCase()) ? parent.children : parent.childNodes;
  return Array.from<Node, ReactNode>(nodes, (node, index) => {
    if (node.nodeType === Node.TEXT_NODE) return node.nodeValue;
    return node instanceof Element ? readElement(node, String(index)) : null;
  });
}

function readElement(element: Element, key: string): ReactNode {
  const name = element.tagName.toLowerCase();
  if (REMOVED_ELEMENTS.has(name)) return null;
  const children = () => readChildren(element);
  switch (name) {
    case "br":
      return <br key={key} />;
    case "hr":
      return <hr key={key} />;
    case "a":
      return readLink(element, key);
    case "img":
      return readImage(element, key);
    case "iframe":
      return readVideo(element, key);
    case "ol":
      return createElement("ol", { key, start: whole(element, "start") }, children());
    case "li":
      return createElement("li", { key, value: whole(element, "value") }, children());
    case "table":
      return readTable(element, key);
    case "th":
    case "td":
      return createElement(
        name,
        { key, colSpan: span(element, "colspan"), rowSpan: span(element, "rowspan") },
        children(),
      );
  }
  const tag = PLAIN.get(name);
  if (!tag) return children();
  const level = HEADING_LEVELS.get(tag);
  return createElement(
    tag,
    {
      key,
      style: readStyle(element),
      ...(level ? { "aria-level": level } : {}),
      // A code block scrolls sideways, also by keyboard (WCAG 2.1.1).
      ...(tag === "pre" ? { tabIndex: 0 } : {}),
    },
    children(),
  );
}

/** A wide table scrolls sideways. */
function readTable(element: Element, key: string): ReactNode {
  return (
    <ScrollRegion key={key} role="group" aria-label="Table" className="prose-table">
      {createElement("table", null, readChildren(element))}
    </ScrollRegion>
  );
}

function readLink(element: Element, key: string): ReactNode {
  const href = linkAddress(element.getAttribute("href"));
  if (!href) return readChildren(element);
  return createElement(
    "a",
    { key, href, target: "_blank", rel: "noopener noreferrer nofollow" },
    readChildren(element),
  );
}

function readImage(element: Element, key: string): ReactNode {
  const src = imageAddress(element.getAttribute("src"));
  if (!src) return null;
  return (
    <img
      key={key}
      src={src}
      alt={element.getAttribute("alt") ?? ""}
      width={whole(element, "width")}
      height={whole(element, "height")}
      decoding="async"
    />
  );
}

const VIDEO_PLACEHOLDER = <div className="mx-auto aspect-video max-w-[560px]" />;

function readVideo(element: Element, key: string): ReactNode {
  const id = videoId(element.getAttribute("src"));
  return (
    id && (
      <Suspense key={key} fallback={VIDEO_PLACEHOLDER}>
        <VideoCard id={id} title={element.getAttribute("title") || null} />
      </Suspense>
    )
  );
}

/** Reads the rows or columns that a cell spans, with the server's limit. */
function span(element: Element, attribute: string): number | undefined {
  const value = whole(element, attribute);
  return value && value < 100 ? value : undefined;
}

function whole(element: Element, attribute: string): number | undefined {
  const value = element.getAttribute(attribute);
  return value && /^\d{1,6}$/.test(value) ? Number(value) : undefined;
}

/** Reads colours only, in hex: nothing that loads, moves or covers anything. */
function readStyle(element: Element): CSSProperties | undefined {
  const style: CSSProperties = {};
  for (const declaration of element.getAttribute("style")?.split(";") ?? []) {
    const [property, value = ""] = declaration.split(":").map((part) => part.trim());
    if (!COLOUR.test(value)) continue;
    if (property === "color") style.color = value;
    if (property === "background-color") style.backgroundColor = value;
  }
  return style.color || style.backgroundColor ? style : undefined;
}
