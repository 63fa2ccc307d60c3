import { boundingBox, LINE_HEIGHT, textLines } from "./canvasGeometry";
import { readShapes, type Shape } from "./shapes";

interface CanvasContentProps {
  elements: readonly object[];
  /** Accessible name of the drawing. */
  title: string;
}

/** Positioned texts, rectangles and circles, drawn to scale on a sheet. */
export function CanvasContent({ elements, title }: CanvasContentProps) {
  const shapes = readShapes(elements);
  const box = boundingBox(shapes);
  return (
    // Translators write HTML, which is not shown within a drawing.
    <div
      translate="no"
      className="overflow-hidden rounded-lg bg-page text-page-ink shadow-soft print:shadow-none"
    >
      <svg
        viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
        className="mx-auto block h-auto max-h-[80dvh] w-full print:max-h-none"
      >
        <title>{title}</title>
        {withIds(shapes).map(({ id, item }) => (
          <Drawn key={id} shape={item} />
        ))}
      </svg>
    </div>
  );
}

function Drawn({ shape }: { shape: Shape }) {
  const look = {
    fill: shape.fill ?? (shape.type === "text" ? "currentColor" : "none"),
    stroke: shape.stroke ?? "none",
    strokeWidth: shape.strokeWidth,
    transform: `translate(${shape.x} ${shape.y}) rotate(${shape.rotation})`,
  };
  if (shape.type === "rect") return <rect {...look} width={shape.width} height={shape.height} />;
  if (shape.type === "circle") return <circle {...look} r={shape.radius} />;
  const { fontSize, fontFamily, fontStyle } = shape;
  return (
    <text
      {...look}
      fontSize={fontSize}
      fontFamily={fontFamily}
      fontWeight={fontStyle.includes("bold") ? "bold" : "normal"}
      fontStyle={fontStyle.includes("italic") ? "italic" : "normal"}
      xmlSpace="preserve"
    >
      {withIds(textLines(shape)).map(({ id, item, index }) => (
        // The position is the text's top left corner; SVG positions by the baseline.
        <tspan key={id} x={0} y={fontSize * (0.9 + index * LINE_HEIGHT)}>
          {item}
        </tspan>
      ))}
    </text>
  );
}

/** Adds keys: a drawing never changes while it is shown, so the index identifies an element. */
const withIds = <Item,>(items: readonly Item[]) =>
  items.map((item, index) => ({ id: `item-${index}`, item, index }));
