import { useParams } from "react-router";
import { toApiError } from "@/api/baseApi";
import { useFreshIdea } from "@/api/enhanced";
import { defectMessage } from "@/api/http";
import { IdeaMissing } from "@/layout/IdeaMissing";
import { LoadFailureScreen } from "@/layout/LoadFailureScreen";
import { StatusScreen } from "@/layout/StatusScreen";
import { parseIdeaId } from "@/routing/ideaId";
import { backToDashboard } from "@/routing/paths";
import { ShareScreen } from "./components/ShareScreen";
import { messages } from "./messages";

/**
 * The share screen. Redirects to the dashboard when the idea does not exist; one that is damaged is
 * told.
 */
export function SharePage() {
  const { id } = useParams();
  const ideaId = parseIdeaId(id);
  const { idea, error, reload } = useFreshIdea(ideaId);
  const defect = error && defectMessage(toApiError(error));

  if (defect) return <LoadFailureScreen title={messages.title} text={defect} onRetry={reload} />;
  if (ideaId === null || error) return <IdeaMissing text={messages.ideaMissing} />;
  if (!idea) return <StatusScreen text="Loading idea details..." back={backToDashboard} />;
  return <ShareScreen key={ideaId} idea={idea} />;
}
