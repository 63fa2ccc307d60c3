import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { closeOnEscape } from "./closeOnEscape";
import { cx } from "./cx";
import { IconButton } from "./IconButton";
import { useReturnFocus } from "./useReturnFocus";

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  className?: string;
  /** Ignores clicks outside and on toasts, which would lose the user's work. */
  staysOnOutsideClick?: boolean;
  /** While an action runs that cannot be cancelled: the dialog stays open. */
  busy?: boolean;
}

/**
 * A modal dialog: focus moves in, Tab stays inside, Esc closes, focus returns. Close it before
 * showing a toast.
 */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  className,
  staysOnOutsideClick = false,
  busy = false,
}: DialogProps) {
  const returnFocus = useReturnFocus();
  const change = (isOpen: boolean) => !busy && onOpenChange(isOpen);
  return (
    <Radix.Root open={open} onOpenChange={change}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-scrim motion-safe:data-[state=open]:animate-fade-in" />
        <Radix.Content
          {...returnFocus}
          onKeyDown={closeOnEscape(() => change(false))}
          onInteractOutside={(event) => staysOnOutsideClick && event.preventDefault()}
          {...(description ? {} : { "aria-describedby": undefined })}
          className={cx(
            "fixed top-[calc(50%+1.25rem)] left-1/2 z-40 max-h-[calc(100dvh-4.5rem)] w-[calc(100%-2rem)] max-w-lg -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-lg border border-line bg-surface p-6 shadow-raised motion-safe:data-[state=open]:animate-dialog-in",
            className,
          )}
        >
          <div className="flex items-start justify-between gap-4">
            <Radix.Title className="font-semibold font-serif text-xl">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton
                label="Close"
                className="-mt-1.5 -mr-2 disabled:opacity-55"
                disabled={busy}
              >
                <X className="size-5" aria-hidden="true" />
              </IconButton>
            </Radix.Close>
          </div>
          {description && (
            <Radix.Description className="mt-2 text-muted">{description}</Radix.Description>
          )}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
