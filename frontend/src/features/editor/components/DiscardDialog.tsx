import { ConfirmDialog } from "@/ui/ConfirmDialog";
import type { ConfirmDialogProps } from "@/ui/ConfirmDialogWindow";

interface DiscardDialogProps
  extends Pick<ConfirmDialogProps, "open" | "onOpenChange" | "onConfirm" | "focusAfterConfirm"> {
  /** Actions offered before. */
  readonly hint?: string | undefined;
}

/** Asks for confirmation to discard a draft. */
export function DiscardDialog({ hint, ...props }: DiscardDialogProps) {
  return (
    <ConfirmDialog
      {...props}
      title="Discard these changes?"
      description={<>They cannot be brought back. {hint}</>}
      confirmLabel="Discard"
      danger
    />
  );
}
