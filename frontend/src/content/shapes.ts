/** One element of a canvas, with defaults for what the stored element left out. */
export interface Shape {
  type: "text" | "rect" | "circle";
  x: number;
  y: number;
  rotation: number;
  text: string;
  fontSize: number;
  fontFamily: string;
  fontStyle: string;
  width: number;
  height: number;
  radius: number;
  fill: string | null;
  stroke: string | null;
  strokeWidth: number;
}

const DEFAULT_FONT_SIZE = 16;
/** Colours by name or number; never a reference. */
const COLOUR = /^(?:#[0-9a-f]{3,8}|[a-z]+|(?:rgb|hsl)a?\([\d\s.,%/-]+\))$/i;
const FONT = /^[\w\s,'"-]+$/;

/**
 * Reads stored elements. They were not made by our editor, so nothing is assumed; those without a
 * known type or a position are left out.
 */
export function readShapes(elements: readonly object[]): Shape[] {
  return elements.map(readShape).filter((shape) => shape !== null);
}

function readShape(element: object | null): Shape | null {
  const fields = new Map<string, unknown>(Object.entries(element ?? {}));
  const number = (name: string) => {
    const value = fields.get(name);
    return typeof value === "number" && Number.isFinite(value) ? value : null;
  };
  const text = (name: string, pattern: RegExp) => {
    const value = fields.get(name);
    return typeof value === "string" && pattern.test(value) ? value : null;
  };
  // A negative size is an error in SVG.
  const size = (name: string, otherwise = 0) => Math.max(0, number(name) ?? otherwise);

  const type = fields.get("type");
  const [x, y] = [number("x"), number("y")];
  if ((type !== "text" && type !== "rect" && type !== "circle") || x === null || y === null) {
    return null;
  }
  const stroke = text("stroke", COLOUR);
  return {
    type,
    x,
    y,
    rotation: number("rotation") ?? 0,
    text: text("text", /./s) ?? "",
    fontSize: size("fontSize") || DEFAULT_FONT_SIZE,
    fontFamily: text("fontFamily", FONT) ?? "inherit",
    fontStyle: text("fontStyle", FONT) ?? "",
    width: size("width"),
    height: size("height"),
    radius: size("radius"),
    fill: text("fill", COLOUR),
    stroke,
    strokeWidth: size("strokeWidth", stroke ? 1 : 0),
  };
}
