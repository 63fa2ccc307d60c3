import { useParams } from "react-router";
import { type CallFailure, toApiError } from "@/api/baseApi";
import { useFreshIdea } from "@/api/enhanced";
import { defectMessage } from "@/api/http";
import { IdeaMissing } from "@/layout/IdeaMissing";
import { StatusScreen } from "@/layout/StatusScreen";
import { parseIdeaId } from "@/routing/ideaId";
import { backToDashboard } from "@/routing/paths";
import { ShareScreen } from "./components/ShareScreen";
import { messages } from "./messages";

/** The share screen. Redirects to the dashboard when the idea is missing or cannot be loaded. */
export function SharePage() {
  const { id } = useParams();
  const ideaId = parseIdeaId(id);
  const { idea, error } = useFreshIdea(ideaId);

  if (ideaId === null) return <IdeaMissing text={messages.ideaMissing} />;
  if (error) return <IdeaMissing text={whyMissing(error)} />;
  if (!idea) return <StatusScreen text="Loading idea details..." back={backToDashboard} />;
  return <ShareScreen key={ideaId} idea={idea} />;
}

function whyMissing(error: CallFailure): string {
  const failure = toApiError(error);
  if (failure.status === 404) return messages.ideaMissing;
  return defectMessage(failure) ?? messages.ideaFailed;
}
