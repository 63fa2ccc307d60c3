import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { cx } from "@/ui/cx";
import { Tooltip } from "@/ui/Tooltip";

interface ToolbarButtonProps extends Omit<ComponentProps<"button">, "aria-label" | "children"> {
  readonly icon: LucideIcon;
  readonly label: string;
  /** Shown in the tooltip, as the person would type it. */
  readonly shortcut?: string | undefined;
  /** Whether the selection has this format; leave out for actions. */
  readonly pressed?: boolean | undefined;
  /** Keeps its place and focus, but does nothing. */
  readonly inactive?: boolean;
  /** Drawn under the icon: the colour in force. */
  readonly swatch?: string | null;
}

/** 32 px beside a mouse, 44 px where fingers point. Part of a roving Tab stop. */
export function ToolbarButton({
  icon: Icon,
  label,
  shortcut,
  pressed,
  inactive = false,
  swatch,
  onClick,
  ...rest
}: ToolbarButtonProps) {
  return (
    <Tooltip text={shortcut === undefined ? label : `${label} (${shortcut})`}>
      <button
        {...rest}
        type="button"
        tabIndex={-1}
        data-toolbar-item=""
        aria-label={label}
        aria-pressed={pressed}
        aria-disabled={inactive || undefined}
        className={toolbarButtonStyles}
        // A press must not take the selection out of the text (facebook/lexical#6006).
        onMouseDown={(event) => event.preventDefault()}
        onClick={(event) => {
          if (!inactive) onClick?.(event);
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
    </Tooltip>
  );
}

const toolbarButtonStyles =
  "relative inline-flex size-8 shrink-0 items-center justify-center rounded-sm text-muted " +
  "transition-colors hover:bg-sunken hover:text-ink focus-visible:outline-offset-[-2px] " +
  "pointer-coarse:size-11 aria-pressed:bg-primary aria-pressed:text-on-primary " +
  "aria-disabled:opacity-40 aria-disabled:hover:bg-transparent " +
  "data-[state=open]:not-aria-pressed:text-ink";
