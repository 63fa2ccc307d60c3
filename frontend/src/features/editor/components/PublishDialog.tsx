import { ConfirmDialog } from "@/ui/ConfirmDialog";

interface PublishDialogProps {
  readonly open: boolean;
  readonly savesFirst: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Asks before the one step in an idea's life that cannot be taken back. */
export function PublishDialog({ open, savesFirst, onClose, onConfirm }: PublishDialogProps) {
  return (
    <ConfirmDialog
      open={open}
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
