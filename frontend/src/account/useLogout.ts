import { useState } from "react";
import { useDispatch, useSelector } from "react-redux";
import { useNavigate } from "react-router";
import { publicClient } from "@/api/publicClient";
import { paths } from "@/routing/paths";
import { commentDraftsCleared } from "@/store/commentDraftsSlice";
import { forgetUser, selectCurrentUser } from "@/store/currentUserSlice";
import { removeLocalDrafts } from "@/store/localDrafts";
import { errorToast, successToast } from "@/store/toastSlice";

/**
 * Ends the session, removes the stored user and their unsaved text, and opens the login screen. The
 * guard drops the cache.
 */
export function useLogout(successText: string) {
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const user = useSelector(selectCurrentUser);
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
    forgetUser({ dispatch });
    await navigate(paths.login);
    // Not earlier: a screen that unmounts may write its draft once more.
    if (user) removeLocalDrafts(user.id);
    dispatch(commentDraftsCleared());
    dispatch(successToast(successText));
  };

  return { logout, busy };
}
