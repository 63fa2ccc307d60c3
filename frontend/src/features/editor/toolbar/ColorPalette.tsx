import { useId, useRef } from "react";
import { cx } from "@/ui/cx";
import type { PaletteColor } from "../colors";
import { type PopoverControls, ToolbarPopover } from "./ToolbarPopover";

interface ColorPaletteProps {
  readonly controls: PopoverControls;
  readonly label: string;
  readonly colors: readonly PaletteColor[];
  readonly current: string | null;
  readonly resetLabel: string;
  /** Applies a colour while the palette stays open. */
  readonly onPreview: (color: string) => void;
  /** Applies a colour, or none, and closes the palette. */
  readonly onChoose: (color: string | null) => void;
}

/** The open palette of a colour button. */
export function ColorPalette({
  controls,
  label,
  colors,
  current,
  resetLabel,
  onPreview,
  onChoose,
}: ColorPaletteProps) {
  return (
    <ToolbarPopover controls={controls} label={label} className="p-3">
      <Swatches
        label={label}
        colors={colors}
        current={current}
        onPreview={(color) => {
          // A colour replaces the text nodes that the browser's selection is in. The browser would
          // move it, the editor would follow, and the next colour would miss the text.
          getSelection()?.removeAllRanges();
          onPreview(color);
        }}
        onChoose={onChoose}
      />
      <button
        type="button"
        className="mt-2 min-h-9 w-full rounded-sm px-2 text-sm hover:bg-sunken pointer-coarse:min-h-11"
        onClick={() => onChoose(null)}
      >
        {resetLabel}
      </button>
    </ToolbarPopover>
  );
}

interface SwatchesProps {
  readonly label: string;
  readonly colors: readonly PaletteColor[];
  readonly current: string | null;
  readonly onPreview: (color: string) => void;
  readonly onChoose: (color: string) => void;
}

/** Arrow keys preview each colour on the text; a click or Enter applies it. */
function Swatches({ label, colors, current, onPreview, onChoose }: SwatchesProps) {
  const byKeyboard = useRef(false);
  const name = useId();
  return (
    <fieldset
      className={cx("grid gap-1.5", colors.length > 7 ? "grid-cols-7" : "grid-cols-6")}
      onPointerDown={() => {
        byKeyboard.current = false;
      }}
      onKeyDown={() => {
        byKeyboard.current = true;
      }}
    >
      <legend className="sr-only">{label}</legend>
      {colors.map(({ name: colorName, value }) => (
        <input
          key={value}
          type="radio"
          name={name}
          aria-label={colorName}
          title={colorName}
          checked={value === current}
          style={{ backgroundColor: value }}
          className="size-8 cursor-pointer appearance-none rounded-full border border-line-strong outline-offset-2 checked:ring-2 checked:ring-focus checked:ring-offset-2 checked:ring-offset-surface pointer-coarse:size-[min(2.5rem,(100vw-5.25rem)/7)]"
          onChange={() => (byKeyboard.current ? onPreview(value) : onChoose(value))}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            // Otherwise the rest of the key press would break the line in the text.
            event.preventDefault();
            onChoose(value);
          }}
        />
      ))}
    </fieldset>
  );
}
