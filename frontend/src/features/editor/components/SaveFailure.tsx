import { type ApiError, REFUSED_ON_THE_WAY } from "@/api/http";
import { paths } from "@/routing/paths";
import { Alert } from "@/ui/Alert";
import { Button } from "@/ui/Button";
import { canBeCopied, type SessionView } from "../session/sessionView";
import { withFocusFallback } from "./focusFallback";

interface SaveFailureProps {
  readonly view: SessionView;
  readonly onSave: () => void;
  readonly onPublish: () => void;
  readonly onSaveAsNew: () => void;
}

/**
 * Why the last call failed, where the text is, and what to do next. Stays after its toast has gone.
 */
export function SaveFailure({ view, onSave, onPublish, onSaveAsNew }: SaveFailureProps) {
  const { failure, status } = view;
  if (failure === null) return null;
  const retry = { save: onSave, publish: onPublish, copy: onSaveAsNew }[failure.action];
  const isBusy = status === "saving" || view.isPublishing || view.isCopying;
  return (
    <div
      ref={withFocusFallback}
      data-signed-out={failure.status === 401 || undefined}
      className="pt-1 pb-1.5"
    >
      <Alert>
        <p>
          {reason(failure)} {whereTextIs(view)}
        </p>
        <div className="mt-2 flex flex-wrap items-center gap-4">
          {failure.status !== 404 && (
            <Button variant="secondary" size="sm" busy={isBusy} onClick={retry}>
              Try again
            </Button>
          )}
          {isGone(failure) && canBeCopied(view) && (
            <Button variant="secondary" size="sm" busy={view.isCopying} onClick={onSaveAsNew}>
              Save as a new idea
            </Button>
          )}
          {failure.status === 401 && (
            // In a new tab, so that the text stays on this page.
            <a href={paths.login} target="_blank" rel="noopener" className="underline">
              Sign in on a new tab
            </a>
          )}
        </div>
      </Alert>
    </div>
  );
}

function whereTextIs({ failure, idea, isDirty, isDraftKept, offer }: SessionView): string {
  // Text that cannot be saved as a new idea either stays unsaved, and may be the draft on offer.
  const isSaved = !isDirty && idea !== null && failure?.action !== "copy" && !isDeleted(failure);
  if (isSaved) return "Your text is saved.";
  if (isDirty && isDraftKept) return "Your text is kept in this browser.";
  return !isDirty && offer !== null
    ? "Your text is kept."
    : "Your text is only on this page. Please keep it open.";
}

const isDeleted = (failure: SessionView["failure"]) => failure?.status === 404;

/** Whether the idea can no longer be saved: deleted, published, or saved elsewhere. */
const isGone = ({ status }: ApiError) => status === 404 || status === 409;

/** Whether the message says what to do: of a full account, or of a proxy. */
const isAdvice = (detail: string | null): detail is string =>
  detail === REFUSED_ON_THE_WAY || detail?.includes("storage quota") === true;

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
      return isAdvice(detail) ? detail : "This idea is too large to save.";
    default:
      return sentence(detail ?? `The server answered with error ${status}`);
  }
}
