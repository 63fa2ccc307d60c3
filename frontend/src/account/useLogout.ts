import { useState } from "react";
import { useDispatch } from "react-redux";
import { publicClient } from "@/api/publicClient";
import { errorToast } from "@/store/toastSlice";
import { useSignedOut } from "./useSignedOut";

/** Ends the session, and forgets the user in this browser. */
export function useLogout(successText: string) {
  const dispatch = useDispatch();
  const signedOut = useSignedOut();
  const [busy, setBusy] = useState(false);

  const logout = async () => {
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

  return { logout, busy };
}
