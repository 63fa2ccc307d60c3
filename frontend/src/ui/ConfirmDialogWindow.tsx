import { AlertDialog } from "radix-ui";
import { type ReactNode, type RefObject, useRef } from "react";
import { Button } from "./Button";
import { closeOnEscape } from "./closeOnEscape";
import { useReturnFocus } from "./useReturnFocus";

export interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** The question. */
  description: ReactNode;
  /** What can be chosen besides. */
  children?: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  /** Styles the confirming button as destructive. */
  danger?: boolean;
  /** While the action runs: it cannot be cancelled any more, so the dialog stays open. */
  busy?: boolean;
  onConfirm: () => void;
  /** Takes focus after confirming, when that removes the opener. */
  focusAfterConfirm?: RefObject<HTMLElement | null>;
}

/** The Radix part of `ConfirmDialog`, in a chunk of its own. */
export function ConfirmDialogWindow({
  open,
  onOpenChange,
  title,
  description,
  children,
  confirmLabel,
  cancelLabel = "Cancel",
  danger = false,
  busy = false,
  onConfirm,
  focusAfterConfirm,
}: ConfirmDialogProps) {
  const confirmed = useRef(false);
  const returnFocus = useReturnFocus(() => {
    const target = confirmed.current ? focusAfterConfirm?.current : null;
    confirmed.current = false;
    return target;
  });
  const change = (isOpen: boolean) => !busy && onOpenChange(isOpen);
  const confirm = () => {
    confirmed.current = true;
    onConfirm();
  };
  return (
    <AlertDialog.Root open={open} onOpenChange={change}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 bg-scrim motion-safe:data-[state=open]:animate-fade-in" />
        <AlertDialog.Content
          {...returnFocus}
          onKeyDown={closeOnEscape(() => change(false))}
          className="fixed top-[calc(50%+1.25rem)] left-1/2 z-40 max-h-[calc(100dvh-4.5rem)] w-[calc(100%-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-lg border border-line bg-surface p-6 shadow-raised motion-safe:data-[state=open]:animate-dialog-in"
        >
          <AlertDialog.Title className="font-semibold font-serif text-xl">
            {title}
          </AlertDialog.Title>
          <AlertDialog.Description className="mt-2 text-muted">
            {description}
          </AlertDialog.Description>
          {children}
          <div className="mt-6 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
            <AlertDialog.Cancel asChild>
              <Button variant="secondary" disabled={busy}>
                {cancelLabel}
              </Button>
            </AlertDialog.Cancel>
            <Button variant={danger ? "danger" : "primary"} busy={busy} onClick={confirm}>
              {confirmLabel}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
