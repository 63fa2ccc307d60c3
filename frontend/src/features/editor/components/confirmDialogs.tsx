import { ConfirmDialogWindow } from "@/ui/ConfirmDialogWindow";

interface PublishDialogProps {
  readonly savesFirst: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Asks for confirmation to publish, which cannot be undone. */
export function PublishDialog({ savesFirst, onClose, onConfirm }: PublishDialogProps) {
  return (
    <ConfirmDialogWindow
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Publish this idea?"
      description={
        <>
          Publishing is final. A published idea cannot be edited, unpublished or deleted.
          {savesFirst && " Your unsaved changes are saved first."}
        </>
      }
      confirmLabel="Publish idea"
      onConfirm={() => {
        onClose();
        onConfirm();
      }}
    />
  );
}

interface LeaveDialogProps {
  readonly isUploading: boolean;
  readonly isDraftKept: boolean;
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

/** Asks for confirmation to leave unsaved changes. */
export function LeaveDialog({ isUploading, isDraftKept, onStay, onLeave }: LeaveDialogProps) {
  return (
    <ConfirmDialogWindow
      open
      onOpenChange={(isOpen) => !isOpen && onStay()}
      title="Leave without saving?"
      description={
        <>
          {isUploading
            ? "An image is still being uploaded, and would not be in your idea. Other changes"
            : "Your changes are not saved. They"}{" "}
          {isDraftKept
            ? "stay in this browser until you log out, and you can restore them when you open this idea again."
            : "are on this page only, and would be lost."}
        </>
      }
      confirmLabel="Leave"
      cancelLabel="Stay"
      onConfirm={onLeave}
    />
  );
}
