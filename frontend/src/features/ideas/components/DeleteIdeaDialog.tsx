import type { RefObject } from "react";
import { hasFailedToDelete } from "@/api/baseApi";
import { useDeleteIdeaMutation } from "@/api/enhanced";
import type { ListedIdea } from "@/api/generated";
import { useAppDispatch } from "@/store/hooks";
import { errorToast, successToast } from "@/store/toastSlice";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { messages, titleOf } from "../messages";

interface DeleteIdeaDialogProps {
  /** The draft to delete; null when the dialog is closed. */
  idea: ListedIdea | null;
  onClose: () => void;
  focusAfterDelete: RefObject<HTMLElement | null>;
}

/** Confirms and deletes a draft. The dialog closes before the toast, which it would hide. */
export function DeleteIdeaDialog({ idea, onClose, focusAfterDelete }: DeleteIdeaDialogProps) {
  const dispatch = useAppDispatch();
  const [deleteIdea] = useDeleteIdeaMutation();

  const confirm = async () => {
    if (!idea) return;
    onClose();
    const { error } = await deleteIdea({ id: idea.id });
    dispatch(
      hasFailedToDelete(error) ? errorToast(messages.deleteFailed) : successToast(messages.deleted),
    );
  };

  return (
    <ConfirmDialog
      open={idea !== null}
      onOpenChange={(open) => !open && onClose()}
      title="Delete this draft?"
      description={idea && messages.deleteQuestion(titleOf(idea))}
      confirmLabel="Delete"
      danger
      onConfirm={confirm}
      focusAfterConfirm={focusAfterDelete}
    />
  );
}
