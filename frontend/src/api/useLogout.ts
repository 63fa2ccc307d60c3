import { useState } from "react";
import { useDispatch } from "react-redux";
import { useNavigate } from "react-router";
import { paths } from "@/app/paths";
import { errorToast, successToast } from "@/ui/toast/toastSlice";
import { forgetUser } from "./currentUserSlice";
import { api, useLogoutMutation } from "./enhanced";

/** Ends the session: the stored user and all cached data go, then the login screen follows. */
export function useLogout(successText: string) {
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const [callLogout] = useLogoutMutation();
  const [busy, setBusy] = useState(false);

  const logout = async () => {
    if (busy) return;
    setBusy(true);
    const { error } = await callLogout({ emptyBody: {} });
    setBusy(false);
    if (error) {
      dispatch(errorToast("Failed to logout. Please try again."));
      return;
    }
    forgetUser({ dispatch });
    await navigate(paths.login);
    dispatch(api.util.resetApiState());
    dispatch(successToast(successText));
  };

  return { logout, busy };
}
