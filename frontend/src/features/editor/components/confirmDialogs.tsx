import { useState } from "react";
import { ConfirmDialogWindow } from "@/ui/ConfirmDialogWindow";
import type { TemplateSections } from "../extensions/templateSections";

interface PublishDialogProps {
  readonly savesFirst: boolean;
  readonly sections: TemplateSections | undefined;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/**
 * Asks for confirmation to publish, which cannot be undone, and whether empty sections of the template
 * are to be published.
 */
export function PublishDialog({ savesFirst, sections, onClose, onConfirm }: PublishDialogProps) {
  const [empty] = useState(() => sections?.countEmpty() ?? 0);
  const [removes, setRemoves] = useState(false);
  return (
    <ConfirmDialogWindow
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Publish this idea?"
      description={
        <>
          Publishing makes nothing public and shows your idea to nobody: only the links that you
          make do. Publishing is final. A published idea cannot be edited, unpublished or deleted.
          {savesFirst && " Your unsaved changes are saved first."}
        </>
      }
      confirmLabel="Publish idea"
      onConfirm={() => {
        onClose();
        if (removes) sections?.removeEmpty();
        onConfirm();
      }}
    >
      {empty > 0 && (
        <label className="mt-4 flex min-h-11 cursor-pointer items-center gap-3 text-sm">
          <input
            type="checkbox"
            checked={removes}
            onChange={(event) => setRemoves(event.target.checked)}
            className="size-5 shrink-0 accent-primary"
          />
          {empty === 1
            ? "Remove the section of the template that is still empty"
            : `Remove the ${empty} sections of the template that are still empty`}
        </label>
      )}
    </ConfirmDialogWindow>
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
            ? "stay in this browser until you sign out, and you can restore them when you open this idea again."
            : "are on this page only, and would be lost."}
        </>
      }
      confirmLabel="Leave"
      cancelLabel="Stay"
      onConfirm={onLeave}
    />
  );
}
