import { $addUpdateTag, type LexicalEditor, SKIP_DOM_SELECTION_TAG } from "lexical";
import type { LucideIcon } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { useIdleLoad } from "@/ui/useIdleLoad";
import type { PaletteColor } from "../colors";
import { ToolbarButton } from "./ToolbarButton";

const load = () => import("./ColorPalette");
const ColorPalette = lazy(async () => ({ default: (await load()).ColorPalette }));

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

/** A toolbar button that opens a palette. After a choice the caret is back in the text. */
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
  const button = useRef<HTMLButtonElement>(null);
  const hasChosen = useRef(false);
  useIdleLoad(load);

  return (
    <>
      <ToolbarButton
        ref={button}
        icon={icon}
        label={label}
        shortcut={shortcut}
        swatch={current}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPress={() => setOpen(!isOpen)}
      />
      <Suspense fallback={null}>
        {isOpen && (
          <ColorPalette
            anchor={button}
            label={label}
            colors={colors}
            current={current}
            resetLabel={resetLabel}
            onPreview={(color) =>
              editor.update(() => {
                // The palette keeps the focus while colours are tried.
                $addUpdateTag(SKIP_DOM_SELECTION_TAG);
                onChoose(color);
              })
            }
            onChoose={(color) => {
              hasChosen.current = true;
              onChoose(color);
              setOpen(false);
            }}
            onCancel={() => setOpen(false)}
            onClosed={(focusIsLost) => {
              if (hasChosen.current) editor.focus();
              else if (focusIsLost) button.current?.focus();
              hasChosen.current = false;
            }}
          />
        )}
      </Suspense>
    </>
  );
}
