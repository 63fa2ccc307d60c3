import type { ApiError } from "@/api/http";
import { paths } from "@/app/paths";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { canBeCopied, type SessionView } from "../session/sessionView";
import { handsFocusOn } from "./handFocusOn";

interface SaveFailureProps {
  readonly view: SessionView;
  readonly onRetry: () => void;
  readonly onSaveAsNew: () => void;
}

/** Why the last save failed, what became of the text, and the way on. Outlives its toast. */
export function SaveFailure({ view, onRetry, onSaveAsNew }: SaveFailureProps) {
  const { failure, isDraftKept, status } = view;
  if (failure === null) return null;
  return (
    <div ref={handsFocusOn} className="mb-6 print:hidden">
      <Alert>
        <p>
          {reason(failure)}{" "}
          {isDraftKept
            ? "Your text is kept in this browser."
            : "Your text is only on this page. Please keep it open."}
        </p>
        <div className="mt-2 flex flex-wrap items-center gap-4">
          <Button variant="secondary" size="sm" busy={status === "saving"} onClick={onRetry}>
            Try again
          </Button>
          {isGone(failure) && canBeCopied(view) && (
            <Button variant="secondary" size="sm" busy={view.isCopying} onClick={onSaveAsNew}>
              Save as a new idea
            </Button>
          )}
          {failure.status === 401 && (
            // In a tab of its own, so that the text stays where it is.
            <a href={paths.login} target="_blank" rel="noopener" className="underline">
              Sign in on a new tab
            </a>
          )}
        </div>
      </Alert>
    </div>
  );
}

/** The idea takes this text no more: deleted, published, or saved elsewhere. */
const isGone = ({ status }: ApiError) => status === 404 || status === 409;

const isAboutQuota = (detail: string | null): detail is string =>
  detail?.includes("storage quota") === true;

const sentence = (text: string) => (text.endsWith(".") ? text : `${text}.`);

function reason({ status, detail }: ApiError): string {
  switch (status) {
    case 0:
      return "There is no connection to the server.";
    case 401:
      return "You are no longer signed in.";
    case 404:
      return "This idea no longer exists.";
    case 413:
      // The server says of a full account what to do about it.
      return isAboutQuota(detail) ? detail : "This idea is too large to save.";
    default:
      return sentence(detail ?? `The server answered with error ${status}`);
  }
}
