import { useLexicalComposerContext } from "@lexical/react/LexicalComposerContext";
import { $addUpdateTag, type LexicalEditor, SKIP_DOM_SELECTION_TAG } from "lexical";
import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { cx } from "@/ui/cx";

interface ToolbarButtonProps
  extends Omit<ComponentProps<"button">, "aria-label" | "children" | "onClick"> {
  readonly icon: LucideIcon;
  readonly label: string;
  /** Shortcut in the tooltip, for example "Mod+B". */
  readonly shortcut?: string | undefined;
  /** Whether the selection has this format; leave out for actions. */
  readonly pressed?: boolean | undefined;
  /** Disabled, but keeps its focus. */
  readonly inactive?: boolean;
  /** Current colour, shown under the icon. */
  readonly swatch?: string | null;
  readonly onPress: () => void;
}

/** 32 px with a mouse, 44 px on touch screens. Part of a roving tab stop. */
export function ToolbarButton({
  icon: Icon,
  label,
  shortcut,
  pressed,
  inactive = false,
  swatch,
  onPress,
  ...rest
}: ToolbarButtonProps) {
  const [editor] = useLexicalComposerContext();
  return (
    <button
      {...rest}
      type="button"
      tabIndex={-1}
      data-toolbar-item=""
      aria-label={label}
      data-tooltip={shortcut === undefined ? label : `${label} (${shortcut})`}
      aria-pressed={pressed}
      aria-disabled={inactive || undefined}
      className={toolbarButtonStyles}
      // A press must not remove the selection from the text (facebook/lexical#6006).
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => {
        if (!inactive) onPress();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        if (!inactive && !event.repeat) pressByKey(editor, event.currentTarget, onPress);
      }}
      onKeyUp={(event) => {
        // Browsers click a button when Space is released.
        if (event.key === " ") event.preventDefault();
      }}
    >
      <Icon className="size-[1.125rem]" aria-hidden="true" />
      {swatch !== undefined && (
        <span
          aria-hidden="true"
          className={cx("absolute inset-x-2 bottom-1 h-0.5 rounded-full", !swatch && "hidden")}
          style={swatch === null ? undefined : { backgroundColor: swatch }}
        />
      )}
    </button>
  );
}

/**
 * A change to the document moves the focus into the text, where the rest of the key press would
 * replace the selection. Keyboard users stay on the button instead.
 */
function pressByKey(editor: LexicalEditor, button: HTMLElement, onPress: () => void): void {
  editor.update(() => {
    $addUpdateTag(SKIP_DOM_SELECTION_TAG);
    onPress();
  });
  setTimeout(() => {
    if (editor.getRootElement()?.contains(document.activeElement)) button.focus();
  });
}

const toolbarButtonStyles =
  "relative inline-flex size-8 shrink-0 items-center justify-center rounded-sm text-muted " +
  "transition-colors hover:bg-sunken hover:text-ink focus-visible:outline-offset-[-2px] " +
  "pointer-coarse:size-11 aria-pressed:bg-primary aria-pressed:text-on-primary " +
  "aria-disabled:opacity-40 aria-disabled:hover:bg-transparent";
