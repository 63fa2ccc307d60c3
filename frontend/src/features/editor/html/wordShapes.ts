/**
 * Word sends some pictures as shapes alone (VML): elements that no browser knows, for which HTML has
 * no short form, so that one contains whatever follows it.
 */

const SHAPE = /^v:/;
/** Drawings, unless they hold a picture or text. */
const DRAWING = /^v:(?:shape|rect|roundrect|oval|line|polyline|curve|arc)$/;

/** Replaces shapes under `root` by their picture and their text; other drawings by an empty one. */
export function unwrapShapes(root: HTMLElement): void {
  const shapes = [...root.querySelectorAll("*")].filter(({ localName }) => SHAPE.test(localName));
  const lost = new Set(shapes.filter(isLostDrawing));
  // From the innermost.
  for (const shape of shapes.toReversed()) {
    const own = lost.has(shape) ? [emptyDrawing(shape)] : pictureOf(shape);
    shape.replaceWith(...own, ...[...shape.childNodes].filter((node) => !isLayout(node)));
  }
}

const isLostDrawing = (shape: Element): boolean =>
  DRAWING.test(shape.localName) &&
  !isPictured(shape) &&
  shape.querySelector("v\\:imagedata, v\\:textbox") === null;

/** A rule, or a drawing that is known to be lost. */
function emptyDrawing(shape: Element): Element {
  const isRule = shape.getAttribute("o:hr") !== null;
  return isRule
    ? shape.ownerDocument.createElement("hr")
    : shape.ownerDocument.createElementNS("http://www.w3.org/2000/svg", "svg");
}

function pictureOf(data: Element): HTMLImageElement[] {
  if (data.localName !== "v:imagedata") return [];
  const shape = data.parentElement;
  if (shape && isPictured(shape)) return [];
  const image = data.ownerDocument.createElement("img");
  image.setAttribute("src", data.getAttribute("src") ?? "");
  image.setAttribute("alt", shape?.getAttribute("alt") ?? "");
  for (const side of ["width", "height"] as const) {
    const points = new RegExp(`(?:^|;)\\s*${side}:\\s*([\\d.]+)pt`).exec(
      shape?.getAttribute("style") ?? "",
    )?.[1];
    if (points) image.setAttribute(side, String(Math.round((Number(points) * 4) / 3)));
  }
  return [image];
}

/** Whether the same picture stands beside the shape, for programs without shapes. */
const isPictured = (shape: Element): boolean =>
  shape.id !== "" &&
  [...shape.ownerDocument.querySelectorAll("img")].some(
    (image) => image.getAttribute("v:shapes")?.split(" ").includes(shape.id) === true,
  );

/** Markup between the parts of a shape, and Word's editing data. */
const isLayout = (node: Node): boolean =>
  node instanceof Text
    ? node.data.trim() === ""
    : /^(?:o:lock|w10?:\w+)$/i.test(node.nodeName) && !node.textContent?.trim();
