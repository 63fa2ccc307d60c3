import { use } from "react";
import { paths } from "@/routing/paths";
import { Button } from "@/ui/Button";
import { LinkButton } from "@/ui/LinkButton";
import { type AssistantDocument, AssistantSlot } from "../assistantSlot";
import { messages } from "../messages";
import type { SaveStatus, SessionView } from "../session/sessionView";
import { SAVE_BUTTON_ID, withFocusFallback } from "./focusFallback";

interface EditorActionsProps {
  readonly view: SessionView;
  readonly onSave: () => void;
  readonly onPublish: () => void;
  /** The document for the writing assistant; without it, no assistant is offered. */
  readonly assistantDocument?: AssistantDocument | undefined;
}

/** The buttons that the state of the idea allows. */
export function EditorActions({ view, onSave, onPublish, assistantDocument }: EditorActionsProps) {
  const { idea, status } = view;
  const Assistant = use(AssistantSlot);
  if (idea?.status === "published") {
    return (
      <div className="flex min-h-11 items-center justify-end">
        <LinkButton to={paths.share(idea.id)} size="sm">
          {messages.share}
        </LinkButton>
      </div>
    );
  }
  return (
    <div className="mb-1 flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
      <p role="status" className="text-muted text-sm">
        {STATUS_TEXT[status]}
        {!view.isDraftKept && " (not kept in this browser)"}
      </p>
      <div className="ml-auto flex flex-wrap justify-end gap-2">
        {Assistant !== null && assistantDocument && <Assistant document={assistantDocument} />}
        {idea !== null && (
          <Button
            ref={withFocusFallback}
            variant="secondary"
            size="sm"
            busy={view.isPublishing}
            onClick={onPublish}
          >
            {messages.publish}
          </Button>
        )}
        <Button
          ref={withFocusFallback}
          id={SAVE_BUTTON_ID}
          size="sm"
          busy={status === "saving" || view.isLocked}
          hasSpinner={false}
          onClick={onSave}
        >
          {idea === null ? messages.create : messages.save}
        </Button>
      </div>
    </div>
  );
}

const STATUS_TEXT: Readonly<Record<SaveStatus, string>> = {
  new: "Not saved yet",
  saved: "Saved",
  unsaved: "Unsaved changes",
  saving: "Saving…",
  failed: "Save failed",
};
