import { useState } from "react";
import { useDispatch, useSelector } from "react-redux";
import { publicClient } from "@/api/publicClient";
import { selectCurrentUser } from "@/store/currentUserSlice";
import { hasLocalDrafts } from "@/store/localDrafts";
import { errorToast } from "@/store/toastSlice";
import { hasUnsavedWork } from "@/store/unsavedWork";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { useSignedOut } from "./useSignedOut";

/**
 * Ends the session, and forgets the user in this browser. Asks first if unsaved text would be lost:
 * the caller renders `question`.
 */
export function useLogout(successText: string) {
  const dispatch = useDispatch();
  const user = useSelector(selectCurrentUser);
  const signedOut = useSignedOut();
  const [busy, setBusy] = useState(false);
  const [isAsking, setAsking] = useState(false);

  const end = async () => {
    if (busy) return;
    setBusy(true);
    const { error } = await publicClient.logout();
    setBusy(false);
    if (error) {
      dispatch(errorToast("Failed to logout. Please try again."));
      return;
    }
    await signedOut(successText);
  };

  const logout = async () => {
    if (hasUnsavedWork() || (user && hasLocalDrafts(user.id))) setAsking(true);
    else await end();
  };

  const question = (
    <ConfirmDialog
      open={isAsking}
      onOpenChange={setAsking}
      title="Sign out without saving?"
      description="You have text that is not saved, on this page or kept in this browser. Signing out deletes it here. What has reached your account by now waits there."
      confirmLabel="Sign out"
      cancelLabel="Stay"
      danger
      onConfirm={() => {
        setAsking(false);
        void end();
      }}
    />
  );
  return { logout, busy, question };
}
