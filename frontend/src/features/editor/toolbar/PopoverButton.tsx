import type { LexicalEditor } from "lexical";
import { type ComponentProps, type ReactNode, Suspense, useRef, useState } from "react";
import { ToolbarButton } from "./ToolbarButton";
import type { PopoverControls } from "./ToolbarPopover";

interface PopoverButtonProps
  extends Pick<
    ComponentProps<typeof ToolbarButton>,
    "icon" | "label" | "shortcut" | "swatch" | "pressed"
  > {
  readonly editor: LexicalEditor;
  /** Runs instead of opening the panel when it returns true. */
  readonly onPress?: () => boolean;
  /** The panel; `choose` runs an action, closes the panel and focuses the text. */
  readonly children: (controls: PopoverControls, choose: (action: () => void) => void) => ReactNode;
}

/** A toolbar button that opens a panel. After a choice the caret is back in the text. */
export function PopoverButton({ editor, onPress, children, ...button }: PopoverButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const hasChosen = useRef(false);
  const choose = (action: () => void) => {
    hasChosen.current = true;
    action();
    setOpen(false);
  };
  const onClosed = (focusIsLost: boolean) => {
    if (hasChosen.current) editor.focus();
    else if (focusIsLost) anchor.current?.focus();
    hasChosen.current = false;
  };
  return (
    <>
      <ToolbarButton
        {...button}
        ref={anchor}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPress={() => {
          if (isOpen || !onPress?.()) setOpen(!isOpen);
        }}
      />
      <Suspense fallback={null}>
        {isOpen && children({ anchor, onCancel: () => setOpen(false), onClosed }, choose)}
      </Suspense>
    </>
  );
}
