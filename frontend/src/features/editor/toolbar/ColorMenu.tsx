import type { LexicalEditor } from "lexical";
import type { LucideIcon } from "lucide-react";
import { Popover } from "radix-ui";
import { useId, useRef, useState } from "react";
import { cx } from "@/ui/cx";
import type { PaletteColor } from "../colors";
import { ToolbarButton } from "./ToolbarButton";

interface ColorMenuProps {
  readonly editor: LexicalEditor;
  readonly icon: LucideIcon;
  readonly label: string;
  readonly shortcut?: string;
  readonly colors: readonly PaletteColor[];
  /** The colour of the selection, if it has exactly one. */
  readonly current: string | null;
  readonly resetLabel: string;
  readonly onChoose: (color: string | null) => void;
}

/** A palette: one radio group that arrow keys walk, and a way back to no colour. */
export function ColorMenu({
  editor,
  icon,
  label,
  shortcut,
  colors,
  current,
  resetLabel,
  onChoose,
}: ColorMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const hasChosen = useRef(false);

  const choose = (color: string | null) => {
    hasChosen.current = true;
    onChoose(color);
    setOpen(false);
  };

  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Anchor asChild>
        <span className="inline-flex">
          <ToolbarButton
            icon={icon}
            label={label}
            shortcut={shortcut}
            swatch={current}
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          />
        </span>
      </Popover.Anchor>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label={label}
          className="z-30 w-max max-w-[calc(100vw-1rem)] rounded-md border border-line bg-surface p-3 shadow-raised"
          onCloseAutoFocus={(event) => {
            // Back to the text after a choice; after Escape, back to the button.
            if (!hasChosen.current) return;
            hasChosen.current = false;
            event.preventDefault();
            editor.focus();
          }}
        >
          <Swatches
            label={label}
            colors={colors}
            current={current}
            onPreview={onChoose}
            onChoose={choose}
          />
          <button
            type="button"
            className="mt-2 min-h-9 w-full rounded-sm px-2 text-sm hover:bg-sunken pointer-coarse:min-h-11"
            onClick={() => choose(null)}
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
          className="size-8 cursor-pointer appearance-none rounded-full border border-line-strong outline-offset-2 checked:ring-2 checked:ring-focus checked:ring-offset-2 checked:ring-offset-surface pointer-coarse:size-10"
          onChange={() => (byKeyboard.current ? onPreview(value) : onChoose(value))}
          onKeyDown={(event) => {
            if (event.key === "Enter") onChoose(value);
          }}
        />
      ))}
    </fieldset>
  );
}
