import type { RefObject } from "react";
import { hasFailedToDelete, toApiError } from "@/api/baseApi";
import { useDeleteAssetMutation } from "@/api/enhanced";
import type { Asset } from "@/api/generated";
import { useAppDispatch } from "@/store/hooks";
import { errorToast, successToast } from "@/store/toastSlice";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { messages } from "../messages";

interface DeleteAssetDialogProps {
  /** The image to delete; null when the dialog is closed. */
  asset: Asset | null;
  onClose: () => void;
  focusAfterDelete: RefObject<HTMLElement | null>;
}

/**
 * Confirms and deletes an image. The server refuses while an idea still shows it, and says which.
 */
export function DeleteAssetDialog({ asset, onClose, focusAfterDelete }: DeleteAssetDialogProps) {
  const dispatch = useAppDispatch();
  const [deleteAsset] = useDeleteAssetMutation();

  const confirm = async () => {
    if (!asset) return;
    onClose();
    const { error } = await deleteAsset({ id: asset.id });
    if (!error || !hasFailedToDelete(error)) dispatch(successToast(messages.assetDeleted));
    else {
      const { status, detail } = toApiError(error);
      const isInUse = status === 409;
      dispatch(errorToast((isInUse && detail) || messages.assetDeleteFailed));
    }
  };

  return (
    <ConfirmDialog
      open={asset !== null}
      onOpenChange={(open) => !open && onClose()}
      title="Delete this image?"
      description={asset && `“${asset.fileName}” is deleted for good.`}
      confirmLabel="Delete"
      danger
      onConfirm={confirm}
      focusAfterConfirm={focusAfterDelete}
    />
  );
}
