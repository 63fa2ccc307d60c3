import { Popover } from "radix-ui";
import type { ReactNode, RefObject } from "react";
import { closeOnEscape } from "@/ui/closeOnEscape";
import { cx } from "@/ui/cx";

/** State of the toolbar button that opened a popover. */
export interface PopoverControls {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly onCancel: () => void;
  /** Called after closing; `focusIsLost` when no other element has taken focus. */
  readonly onClosed: (focusIsLost: boolean) => void;
}

interface ToolbarPopoverProps {
  readonly controls: PopoverControls;
  readonly label: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A panel under a toolbar button. */
export function ToolbarPopover({ controls, label, className, children }: ToolbarPopoverProps) {
  const { anchor, onCancel, onClosed } = controls;
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
          className={cx(
            "z-30 w-max max-w-[calc(100vw-1rem)] rounded-md border border-line bg-surface shadow-raised",
            className,
          )}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            onClosed(document.activeElement === document.body);
          }}
          onInteractOutside={(event) => {
            // The button closes its own popover; closing here first would make the click open it
            // again.
            const { target } = event;
            if (target instanceof Node && anchor.current?.contains(target)) event.preventDefault();
          }}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
