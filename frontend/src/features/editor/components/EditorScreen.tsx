import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { Idea } from "@/api/generated";
import { IdeaHead } from "@/layout/IdeaHead";
import { PageLayout } from "@/layout/PageLayout";
import { backToDashboard, paths } from "@/routing/paths";
import { selectCurrentUser } from "@/store/currentUserSlice";
import { useAppSelector } from "@/store/hooks";
import { lazyComponent } from "@/ui/lazyComponent";
import { vaultName } from "@/ui/vault";
import { whenIdle } from "@/ui/whenIdle";
import type { AssistantDocument } from "../assistantSlot";
import { RestoreRevisionContext } from "../details/restoreRevision";
import type { TemplateSections } from "../extensions/templateSections";
import type { DocumentAdapter } from "../session/documentAdapter";
import type { DocumentSession } from "../session/documentSession";
import { canBeCopied, type SessionView } from "../session/sessionView";
import { useDocumentSession } from "../session/useDocumentSession";
import { DraftBar } from "./DraftBar";
import { EditorActions } from "./EditorActions";
import { EditorDialogs } from "./EditorDialogs";
import { focusFallback } from "./focusFallback";
import { LeaveGuard } from "./LeaveGuard";
import { ReadOnlyNotice } from "./ReadOnlyNotice";
import { SaveFailure } from "./SaveFailure";
import { useCommandKeys } from "./useCommandKeys";

// Below the text, so loaded lazily; the text stays usable when they cannot be loaded.
const IdeaDetails = lazyComponent(async () => {
  await whenIdle();
  return import("../details/IdeaDetails").catch(() => ({
    IdeaDetails: (_: { idea: Idea }) => <p>The details of this idea could not be loaded.</p>,
  }));
}, "IdeaDetails");

interface EditorScreenProps {
  readonly idea: Idea | null;
  readonly adapter: DocumentAdapter;
  readonly onCreated?: ((idea: Idea) => void) | undefined;
  /** Opens another version of the idea in place of this one, whose text was kept as a draft. */
  readonly onReplaced: (other: Idea) => void;
  readonly heading: (view: SessionView) => ReactNode;
  readonly toolbar?: ReactNode;
  /** The document for the writing assistant; without it, no assistant is offered. */
  readonly assistantDocument?: AssistantDocument | undefined;
  /** Those of the template, where there can be some. */
  readonly sections?: TemplateSections | undefined;
  /** Renders the title field and the content. */
  readonly children: (title: TitleState, view: SessionView, session: DocumentSession) => ReactNode;
}

/** Props of the title field. */
export interface TitleState {
  /** Ref to the field, input or textarea. */
  readonly ref: (field: HTMLElement | null) => void;
  readonly value: string;
  readonly error: string | null;
  /** Changes whenever the error is to be announced again. */
  readonly errorKey: number;
  readonly isReadOnly: boolean;
  readonly onChange: (title: string) => void;
}

/** The screen around the content of every kind of idea: title, actions, details. */
export function EditorScreen({
  idea,
  adapter,
  onCreated,
  onReplaced,
  heading,
  toolbar,
  assistantDocument,
  sections,
  children,
}: EditorScreenProps) {
  const user = useAppSelector(selectCurrentUser);
  const navigate = useNavigate();
  const { session, view, save, publish, saveAsNew, mayPublish } = useDocumentSession({
    adapter,
    idea,
    userId: user?.id ?? "",
    onCreated,
    onReplaced,
  });
  const [isAsking, setAsking] = useState(false);
  const titleField = useRef<HTMLElement>(null);
  const { isReadOnly } = session;

  const trySave = () => {
    if (!view.isLocked) void save();
  };
  const askToPublish = () => {
    if (!isReadOnly && !view.isPublishing && mayPublish()) setAsking(true);
  };
  const continueAsNew = async () => {
    const saved = await saveAsNew();
    if (saved !== null) navigate(paths.editor(saved.id));
  };
  const canRestoreRevision = !view.isLocked && canBeCopied(view);
  const restoreRevision = (title: string, html: string) => {
    session.restoreRevision(title, html);
    trySave();
  };
  useCommandKeys({ onSave: trySave, onPublish: askToPublish });

  useEffect(() => {
    if (view.titleRefusals > 0) titleField.current?.focus();
  }, [view.titleRefusals]);

  // The opener of the publish dialog is removed, or takes no focus while publishing runs.
  const wasPublishing = useRef(false);
  useEffect(() => {
    if (wasPublishing.current) focusFallback();
    wasPublishing.current = view.isPublishing;
  }, [view.isPublishing]);

  return (
    <PageLayout back={backToDashboard}>
      {view.idea && (
        // The document has its title on paper.
        <div className="print:hidden">
          <IdeaHead
            ideaId={view.idea.id}
            idea={{ title: view.title.trim(), status: view.idea.status }}
          />
        </div>
      )}
      <div className="mx-auto max-w-5xl">
        {heading(view)}
        <DocumentTitle title={view.title} />
        {isReadOnly && <ReadOnlyNotice />}
        <DraftBar session={session} view={view} onSaveAsNew={continueAsNew} />
        {/* The bar is sticky above the idea, but not above its details. */}
        <div>
          <div className="sticky top-14 z-20 -mx-4 mb-6 border-line border-y bg-surface px-5 py-2 shadow-soft sm:mx-0 sm:rounded-lg sm:border sm:px-4 print:hidden">
            <EditorActions
              view={view}
              onSave={trySave}
              onPublish={askToPublish}
              assistantDocument={assistantDocument}
            />
            {!view.isLocked && toolbar}
            <SaveFailure
              view={view}
              onSave={trySave}
              onPublish={askToPublish}
              onSaveAsNew={continueAsNew}
            />
          </div>
          {children(
            {
              ref: (field) => {
                titleField.current = field;
              },
              value: view.title,
              error: view.titleError,
              errorKey: view.titleRefusals,
              isReadOnly: view.isLocked,
              onChange: (title) => session.setTitle(title),
            },
            view,
            session,
          )}
        </div>
        <Suspense fallback={null}>
          {view.idea !== null && (
            <RestoreRevisionContext value={canRestoreRevision ? restoreRevision : null}>
              <IdeaDetails idea={view.idea} />
            </RestoreRevisionContext>
          )}
        </Suspense>
        <EditorDialogs
          session={session}
          view={view}
          sections={sections}
          isPublishAsked={isAsking}
          onPublishAnswered={() => setAsking(false)}
          onPublish={publish}
          onSave={trySave}
          onReplaced={onReplaced}
        />
        <LeaveGuard session={session} view={view} />
      </div>
    </PageLayout>
  );
}

function DocumentTitle({ title }: { title: string }) {
  useEffect(() => {
    document.title = `${title.trim() || "Untitled Idea"} · ${vaultName()}`;
  }, [title]);
  return null;
}
