import { $addUpdateTag, type LexicalEditor, SKIP_DOM_SELECTION_TAG } from "lexical";
import type { LucideIcon } from "lucide-react";
import { lazyComponent } from "@/ui/lazyComponent";
import { useIdleLoad } from "@/ui/useIdleLoad";
import type { PaletteColor } from "../colors";
import { PopoverButton } from "./PopoverButton";

const ColorPalette = lazyComponent(() => import("./ColorPalette"), "ColorPalette");

interface ColorMenuProps {
  readonly editor: LexicalEditor;
  readonly icon: LucideIcon;
  readonly label: string;
  readonly shortcut?: string;
  readonly colors: readonly PaletteColor[];
  /** Colour of the selection if it has exactly one. */
  readonly current: string | null;
  readonly resetLabel: string;
  readonly onChoose: (color: string | null) => void;
}

/** A toolbar button that opens a palette. */
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
  useIdleLoad(ColorPalette.load);
  return (
    <PopoverButton editor={editor} icon={icon} label={label} shortcut={shortcut} swatch={current}>
      {(controls, choose) => (
        <ColorPalette
          controls={controls}
          label={label}
          colors={colors}
          current={current}
          resetLabel={resetLabel}
          onPreview={(color) =>
            editor.update(() => {
              // The palette keeps the focus while colours are previewed.
              $addUpdateTag(SKIP_DOM_SELECTION_TAG);
              onChoose(color);
            })
          }
          onChoose={(color) => choose(() => onChoose(color))}
        />
      )}
    </PopoverButton>
  );
}
