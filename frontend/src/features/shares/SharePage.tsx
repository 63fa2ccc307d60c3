import { useEffect } from "react";
import { useNavigate, useParams } from "react-router";
import { useFreshIdea } from "@/api/enhanced";
import { StatusScreen } from "@/layout/StatusScreen";
import { backToDashboard, paths } from "@/routing/paths";
import { useAppDispatch } from "@/store/hooks";
import { errorToast } from "@/store/toastSlice";
import { ShareScreen } from "./components/ShareScreen";
import { messages } from "./messages";

/** The share screen. Redirects to the dashboard when the idea does not exist. */
export function SharePage() {
  const { id } = useParams();
  const ideaId = Number(id);
  const known = Number.isSafeInteger(ideaId) && ideaId > 0;
  const { idea, error } = useFreshIdea(known ? ideaId : null);
  const missing = !known || error !== undefined;

  const navigate = useNavigate();
  const dispatch = useAppDispatch();
  useEffect(() => {
    if (!missing) return;
    dispatch(errorToast(messages.ideaMissing));
    navigate(paths.dashboard, { replace: true });
  }, [missing, dispatch, navigate]);

  if (missing) return <StatusScreen text={messages.ideaMissing} back={backToDashboard} />;
  if (!idea) return <StatusScreen text="Loading idea details..." back={backToDashboard} />;
  return <ShareScreen key={ideaId} idea={idea} />;
}
