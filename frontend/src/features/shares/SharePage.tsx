import { useEffect } from "react";
import { useNavigate, useParams } from "react-router";
import { toApiError } from "@/api/baseApi";
import { useFreshIdea } from "@/api/enhanced";
import { saidOfDefect } from "@/api/http";
import { PageLayout } from "@/layout/PageLayout";
import { StatusScreen } from "@/layout/StatusScreen";
import { backToDashboard, paths } from "@/routing/paths";
import { useAppDispatch } from "@/store/hooks";
import { errorToast } from "@/store/toastSlice";
import { LoadFailure } from "@/ui/LoadFailure";
import { PageHeading } from "@/ui/PageHeading";
import { ShareScreen } from "./components/ShareScreen";
import { messages } from "./messages";

/**
 * The share screen. Redirects to the dashboard when the idea does not exist; one that is damaged is
 * told.
 */
export function SharePage() {
  const { id } = useParams();
  const ideaId = Number(id);
  const known = Number.isSafeInteger(ideaId) && ideaId > 0;
  const { idea, error, reload } = useFreshIdea(known ? ideaId : null);
  const defect = error && saidOfDefect(toApiError(error));
  const missing = !known || (error !== undefined && !defect);

  const navigate = useNavigate();
  const dispatch = useAppDispatch();
  useEffect(() => {
    if (!missing) return;
    dispatch(errorToast(messages.ideaMissing));
    navigate(paths.dashboard, { replace: true });
  }, [missing, dispatch, navigate]);

  if (missing) return <StatusScreen text={messages.ideaMissing} back={backToDashboard} />;
  if (defect) {
    return (
      <PageLayout back={backToDashboard}>
        <PageHeading documentTitle="Share Your Idea" className="mb-6">
          Share Your Idea
        </PageHeading>
        <LoadFailure text={defect} busy={false} onRetry={reload} />
      </PageLayout>
    );
  }
  if (!idea) return <StatusScreen text="Loading idea details..." back={backToDashboard} />;
  return <ShareScreen key={ideaId} idea={idea} />;
}
