import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { selectCurrentUser } from "@/api/currentUserSlice";
import type { Idea } from "@/api/generated";
import { useAppSelector } from "@/app/hooks";
import { backToDashboard, paths } from "@/app/paths";
import { PageLayout } from "@/ui/PageLayout";
import { useIdleLoad } from "@/ui/useIdleLoad";
import { vaultName } from "@/ui/vault";
import { whenIdle } from "@/ui/whenIdle";
import type { AssistantDocument } from "../assistantSlot";
import { BringBackSlot } from "../details/bringBack";
import type { DocumentSession } from "../session/documentSession";
import type { SessionView } from "../session/sessionView";
import type { Surface } from "../session/surface";
import { useDocumentSession } from "../session/useDocumentSession";
import { DraftBar } from "./DraftBar";
import { EditorActions } from "./EditorActions";
import { handFocusOn } from "./handFocusOn";
import { LeaveGuard } from "./LeaveGuard";
import { ConflictQuestion, loadQuestions, PublishQuestion } from "./lazyQuestions";
import { ReadOnlyNotice } from "./ReadOnlyNotice";
import { SaveFailure } from "./SaveFailure";
import { useCommandKeys } from "./useCommandKeys";

// Below the text, and not worth waiting for it; nor worth losing it where they cannot be fetched.
const IdeaDetails = lazy(async () => {
  await whenIdle();
  return import("../details/IdeaDetails").then(
    ({ IdeaDetails: Details }) => ({ default: Details }),
    () => ({ default: () => <p>The details of this idea could not be loaded.</p> }),
  );
});

interface EditorScreenProps {
  readonly idea: Idea | null;
  readonly surface: Surface;
  readonly onCreated?: ((idea: Idea) => void) | undefined;
  /** Opens another version of the idea in place of this one, which was set aside. */
  readonly onReplaced: (other: Idea) => void;
  readonly heading: (view: SessionView) => ReactNode;
  readonly toolbar?: ReactNode;
  /** What the writing assistant reads and changes; without it, no assistant is offered. */
  readonly assistantDocument?: AssistantDocument | undefined;
  /** The idea itself: the field for its title, and its content. */
  readonly children: (title: TitleState, view: SessionView, session: DocumentSession) => ReactNode;
}

/** What a field for the title works with. */
export interface TitleState {
  /** Takes the field, whichever element it is. */
  readonly ref: (field: HTMLElement | null) => void;
  readonly value: string;
  readonly error: string | null;
  readonly isReadOnly: boolean;
  readonly onChange: (title: string) => void;
}

/** What the screen of every kind of idea has around its content: title, actions, details. */
export function EditorScreen({
  idea,
  surface,
  onCreated,
  onReplaced,
  heading,
  toolbar,
  assistantDocument,
  children,
}: EditorScreenProps) {
  const user = useAppSelector(selectCurrentUser);
  const navigate = useNavigate();
  const { session, view, save, publish, saveAsNew, mayPublish } = useDocumentSession({
    surface,
    idea,
    userId: user?.id ?? "",
    onCreated,
    onReplaced,
  });
  const [isAsking, setAsking] = useState(false);
  const titleField = useRef<HTMLElement>(null);
  const isReadOnly = view.idea?.status === "published";

  const trySave = () => {
    if (!view.isLocked) void save();
  };
  const askToPublish = () => {
    if (!isReadOnly && !view.isPublishing && mayPublish()) setAsking(true);
  };
  const keepMine = () => {
    session.preferMine();
    trySave();
  };
  const takeOther = () => {
    const other = session.setAside();
    if (other !== null) onReplaced(other);
  };
  const goOnAsNew = async () => {
    const saved = await saveAsNew();
    if (saved !== null) navigate(paths.editor(saved.id));
  };
  const canBringBack = !view.isLocked && typeof view.idea?.content === "string";
  const bringBack = (title: string, html: string) => {
    session.bringBack(title, html);
    trySave();
  };
  useIdleLoad(loadQuestions);
  useCommandKeys({ onSave: trySave, onPublish: askToPublish });

  useEffect(() => {
    if (view.titleError !== null) titleField.current?.focus();
  }, [view.titleError]);

  // What publishing was asked from goes, or takes no focus while it runs.
  const wasPublishing = useRef(false);
  useEffect(() => {
    if (wasPublishing.current) handFocusOn();
    wasPublishing.current = view.isPublishing;
  }, [view.isPublishing]);

  return (
    <PageLayout back={backToDashboard} width="full" className="max-w-5xl">
      {heading(view)}
      <DocumentTitle title={view.title} />
      {isReadOnly && <ReadOnlyNotice />}
      <DraftBar session={session} view={view} onSaveAsNew={goOnAsNew} />
      {/* The bar stays in sight above the idea, and not above its details. */}
      <div>
        <div className="sticky top-(--toast-height,0px) z-20 -mx-4 mb-6 border-line border-b bg-paper px-4 py-2 sm:-mx-6 sm:px-6 print:hidden">
          <EditorActions
            view={view}
            onSave={trySave}
            onPublish={askToPublish}
            assistantDocument={assistantDocument}
          />
          {!view.isLocked && toolbar}
        </div>
        <SaveFailure view={view} onRetry={trySave} onSaveAsNew={goOnAsNew} />
        {children(
          {
            ref: (field) => {
              titleField.current = field;
            },
            value: view.title,
            error: view.titleError,
            isReadOnly: view.isLocked,
            onChange: (title) => session.setTitle(title),
          },
          view,
          session,
        )}
      </div>
      <Suspense fallback={null}>
        {view.idea !== null && (
          <BringBackSlot value={canBringBack ? bringBack : null}>
            <IdeaDetails idea={view.idea} />
          </BringBackSlot>
        )}
      </Suspense>
      <Suspense fallback={null}>
        {isAsking && (
          <PublishQuestion
            savesFirst={view.isDirty}
            onClose={() => setAsking(false)}
            onConfirm={publish}
          />
        )}
        {view.conflict !== null && (
          <ConflictQuestion
            conflict={view.conflict}
            canSetAside={view.isDraftKept}
            onKeepMine={keepMine}
            onTakeOther={takeOther}
            onClose={() => session.postpone()}
          />
        )}
      </Suspense>
      <LeaveGuard session={session} view={view} />
    </PageLayout>
  );
}

function DocumentTitle({ title }: { title: string }) {
  useEffect(() => {
    document.title = `${title.trim() || "Untitled Idea"} · ${vaultName()}`;
  }, [title]);
  return null;
}
