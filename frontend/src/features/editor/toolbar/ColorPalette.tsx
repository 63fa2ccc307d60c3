import { Popover } from "radix-ui";
import { type RefObject, useId, useRef } from "react";
import { closeOnEscape } from "@/ui/closeOnEscape";
import { cx } from "@/ui/cx";
import type { PaletteColor } from "../colors";

interface ColorPaletteProps {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly label: string;
  readonly colors: readonly PaletteColor[];
  readonly current: string | null;
  readonly resetLabel: string;
  /** Applies a colour while the palette stays open. */
  readonly onPreview: (color: string) => void;
  /** Applies a colour, or none, and is done. */
  readonly onChoose: (color: string | null) => void;
  readonly onCancel: () => void;
  /** The palette is gone; `focusIsLost` when nothing else has taken focus yet. */
  readonly onClosed: (focusIsLost: boolean) => void;
}

/** The open palette of a colour button. */
export function ColorPalette({
  anchor,
  label,
  colors,
  current,
  resetLabel,
  onPreview,
  onChoose,
  onCancel,
  onClosed,
}: ColorPaletteProps) {
  return (
    <Popover.Root open onOpenChange={(open) => !open && onCancel()}>
      <Popover.Anchor virtualRef={anchor as RefObject<HTMLElement>} />
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label={label}
          onKeyDown={closeOnEscape(onCancel)}
          className="z-30 w-max max-w-[calc(100vw-1rem)] rounded-md border border-line bg-surface p-3 shadow-raised"
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            onClosed(document.activeElement === document.body);
          }}
          onInteractOutside={(event) => {
            // The button closes what it opened; closing here first would make it open again.
            const { target } = event;
            if (target instanceof Node && anchor.current?.contains(target)) event.preventDefault();
          }}
        >
          <Swatches
            label={label}
            colors={colors}
            current={current}
            onPreview={onPreview}
            onChoose={onChoose}
          />
          <button
            type="button"
            className="mt-2 min-h-9 w-full rounded-sm px-2 text-sm hover:bg-sunken pointer-coarse:min-h-11"
            onClick={() => onChoose(null)}
          >
            {resetLabel}
          </button>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface SwatchesProps {
  readonly label: string;
  readonly colors: readonly PaletteColor[];
  readonly current: string | null;
  readonly onPreview: (color: string) => void;
  readonly onChoose: (color: string) => void;
}

/** Arrow keys show each colour on the text; a click or Enter settles on one. */
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
            // Or the rest of the key press would break the line in the text.
            event.preventDefault();
            onChoose(value);
          }}
        />
      ))}
    </fieldset>
  );
}
