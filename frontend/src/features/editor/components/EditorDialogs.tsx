import { Suspense } from "react";
import type { Idea } from "@/api/generated";
import { useIdleLoad } from "@/ui/useIdleLoad";
import type { TemplateSections } from "../extensions/templateSections";
import type { DocumentSession } from "../session/documentSession";
import type { SessionView } from "../session/sessionView";
import { ConflictDialog, loadDialogs, PublishDialog } from "./lazyDialogs";
import { SaveAgain } from "./SaveAgain";

interface EditorDialogsProps {
  readonly session: DocumentSession;
  readonly view: SessionView;
  readonly sections: TemplateSections | undefined;
  /** The question whether to publish is open. */
  readonly isPublishAsked: boolean;
  readonly onPublishAnswered: () => void;
  readonly onPublish: () => Promise<void>;
  readonly onSave: () => void;
  /** Opens another version of the idea, while this one was kept as a draft. */
  readonly onReplaced: (other: Idea) => void;
}

/**
 * The questions of the editor: whether to publish, and which of two versions to keep; and what is
 * loaded with their code.
 */
export function EditorDialogs({
  session,
  view,
  sections,
  isPublishAsked,
  onPublishAnswered,
  onPublish,
  onSave,
  onReplaced,
}: EditorDialogsProps) {
  const keepMine = () => {
    session.preferMine();
    onSave();
  };
  const takeOther = () => {
    const other = session.keepAsDraft();
    if (other !== null) onReplaced(other);
  };
  useIdleLoad(loadDialogs);

  return (
    <Suspense fallback={null}>
      {view.failure && <SaveAgain session={session} view={view} onSave={onSave} />}
      {isPublishAsked && (
        <PublishDialog
          savesFirst={view.isDirty}
          sections={sections}
          onClose={onPublishAnswered}
          onConfirm={onPublish}
        />
      )}
      {view.conflict !== null && (
        <ConflictDialog
          conflict={view.conflict}
          canKeepAsDraft={view.isDraftKept}
          onKeepMine={keepMine}
          onTakeOther={takeOther}
          onClose={() => session.postpone()}
        />
      )}
    </Suspense>
  );
}
