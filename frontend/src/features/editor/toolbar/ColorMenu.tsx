import type { LexicalEditor } from "lexical";
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
        onClick={() => setOpen(!isOpen)}
      />
      <Suspense fallback={null}>
        {isOpen && (
          <ColorPalette
            anchor={button}
            label={label}
            colors={colors}
            current={current}
            resetLabel={resetLabel}
            onPreview={onChoose}
            onChoose={(color) => {
              onChoose(color);
              setOpen(false);
              editor.focus();
            }}
            onCancel={() => {
              setOpen(false);
              button.current?.focus();
            }}
          />
        )}
      </Suspense>
    </>
  );
}
