import { useDispatch, useSelector } from "react-redux";
import { useNavigate } from "react-router";
import { LOGGED_OUT } from "@/routing/loggedOut";
import { paths } from "@/routing/paths";
import { commentDraftsCleared } from "@/store/commentDraftsSlice";
import { forgetUser, selectCurrentUser } from "@/store/currentUserSlice";
import { removeLocalDrafts } from "@/store/localDrafts";
import { successToast } from "@/store/toastSlice";

/**
 * Returns what follows the end of a session: removes the stored user and their unsaved text, and
 * opens the login screen. The guard drops the cache.
 */
export function useSignedOut() {
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const user = useSelector(selectCurrentUser);

  return async (text: string) => {
    forgetUser({ dispatch });
    await navigate(paths.login, { state: LOGGED_OUT });
    // Not earlier: a screen that unmounts may write its draft once more.
    if (user) removeLocalDrafts(user.id);
    dispatch(commentDraftsCleared());
    dispatch(successToast(text));
  };
}
