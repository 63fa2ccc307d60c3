import type { CanvasElement } from "@/api/generated";
import { boundingBox, DEFAULT_FONT_SIZE, drawable, LINE_HEIGHT, textLines } from "./canvasGeometry";

const COLOUR = /^(?:#[0-9a-f]{3,8}|[a-z]+|(?:rgb|hsl)a?\([\d\s.,%/-]+\))$/i;
const FONT = /^[\w\s,'"-]+$/;

/** Positioned texts, rectangles and circles, drawn to scale on a sheet of paper. */
export function CanvasContent({ elements, title }: { elements: CanvasElement[]; title: string }) {
  const shapes = drawable(elements).map((element, index) => ({ id: `shape-${index}`, element }));
  const box = boundingBox(shapes.map(({ element }) => element));
  return (
    <div className="overflow-hidden rounded-lg bg-page text-page-ink shadow-soft print:shadow-none">
      <svg
        viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
        className="mx-auto block h-auto max-h-[80dvh] w-full print:max-h-none"
      >
        <title>{title}</title>
        {shapes.map(({ id, element }) => (
          <Shape key={id} element={element} />
        ))}
      </svg>
    </div>
  );
}

function Shape({ element }: { element: CanvasElement }) {
  const { type, x, y, rotation = 0, width = 0, height = 0, radius = 0 } = element;
  const look = {
    fill: colour(element.fill) ?? (type === "text" ? "currentColor" : "none"),
    stroke: colour(element.stroke) ?? "none",
    strokeWidth: element.strokeWidth ?? (element.stroke ? 1 : 0),
    transform: `translate(${x} ${y}) rotate(${rotation})`,
  };
  if (type === "rect") return <rect {...look} width={size(width)} height={size(height)} />;
  if (type === "circle") return <circle {...look} r={size(radius)} />;
  if (type === "text") return <TextShape element={element} look={look} />;
  return null;
}

type Look = { fill: string; stroke: string; strokeWidth: number; transform: string };

function TextShape({ element, look }: { element: CanvasElement; look: Look }) {
  const { fontSize = DEFAULT_FONT_SIZE, fontFamily = "", fontStyle = "" } = element;
  const lines = textLines(element).map((line, index) => ({ id: `line-${index}`, line }));
  return (
    <text
      {...look}
      fontSize={size(fontSize)}
      fontFamily={FONT.test(fontFamily) ? fontFamily : "inherit"}
      fontWeight={fontStyle.includes("bold") ? "bold" : "normal"}
      fontStyle={fontStyle.includes("italic") ? "italic" : "normal"}
      xmlSpace="preserve"
    >
      {lines.map(({ id, line }, index) => (
        // The position is the text's top left corner; SVG places by the baseline.
        <tspan key={id} x={0} y={fontSize * (0.9 + index * LINE_HEIGHT)}>
          {line}
        </tspan>
      ))}
    </text>
  );
}

/** Colours by name or number; never a reference to something else. */
const colour = (value: string | undefined) => (value && COLOUR.test(value) ? value : undefined);

/** A negative size is an error in SVG. */
const size = (value: number) => (Number.isFinite(value) ? Math.max(0, value) : 0);
