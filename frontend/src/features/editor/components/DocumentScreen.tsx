import { useLexicalComposerContext } from "@lexical/react/LexicalComposerContext";
import { ContentEditable } from "@lexical/react/LexicalContentEditable";
import { $getSelection } from "lexical";
import { useEffect, useRef, useState } from "react";
import { selectCurrentUser } from "@/api/currentUserSlice";
import type { Idea } from "@/api/generated";
import { useAppSelector } from "@/app/hooks";
import { paths } from "@/app/paths";
import { PageLayout } from "@/ui/PageLayout";
import { IdeaDetails } from "../details/IdeaDetails";
import { messages } from "../messages";
import { useDocumentSession } from "../session/useDocumentSession";
import { Toolbar } from "../toolbar/Toolbar";
import { DraftBar } from "./DraftBar";
import { EditorActions } from "./EditorActions";
import { ImageUploads } from "./ImageUploads";
import { LeaveGuard } from "./LeaveGuard";
import { LinkPrompt } from "./LinkPrompt";
import { PublishDialog } from "./PublishDialog";
import { ReadOnlyNotice } from "./ReadOnlyNotice";
import { SaveFailure } from "./SaveFailure";
import { ScreenHeading } from "./ScreenHeading";
import { TitleField } from "./TitleField";
import { useCommandKeys } from "./useCommandKeys";
import { VideoPrompt } from "./VideoPrompt";

interface DocumentScreenProps {
  readonly idea: Idea | null;
  readonly onCreated: (idea: Idea) => void;
}

const DOCUMENT_ID = "idea-document";

/** The editor's screen around one live document. */
export function DocumentScreen({ idea, onCreated }: DocumentScreenProps) {
  const [editor] = useLexicalComposerContext();
  const user = useAppSelector(selectCurrentUser);
  const handle = useDocumentSession({ idea, userId: user?.id ?? "", onCreated });
  const { session, view, save, publish, mayPublish } = handle;
  const [isAsking, setAsking] = useState(false);
  const titleInput = useRef<HTMLInputElement>(null);
  const isReadOnly = view.idea?.status === "published";

  const trySave = () => {
    if (!isReadOnly) void save();
  };
  const askToPublish = () => {
    if (!isReadOnly && mayPublish()) setAsking(true);
  };
  useCommandKeys({ onSave: trySave, onPublish: askToPublish });

  useEffect(() => {
    if (view.titleError !== null) titleInput.current?.focus();
  }, [view.titleError]);

  return (
    <PageLayout back={{ to: paths.dashboard, label: "Back" }} width="full" className="max-w-5xl">
      <ScreenHeading>{isReadOnly ? "Published idea" : "Edit idea"}</ScreenHeading>
      <DocumentTitle title={view.title} />
      {isReadOnly && <ReadOnlyNotice />}
      <DraftBar session={session} offer={view.offer} revision={view.idea?.revision ?? null} />
      <div className="sticky top-0 z-20 -mx-4 mb-6 border-line border-b bg-paper px-4 py-2 sm:-mx-6 sm:px-6 print:hidden">
        <EditorActions
          view={view}
          onSave={trySave}
          onPublish={askToPublish}
          readSelection={() => editor.read(() => $getSelection()?.getTextContent() ?? "")}
        />
        {!isReadOnly && <Toolbar controls={DOCUMENT_ID} />}
      </div>
      <SaveFailure view={view} onRetry={trySave} />
      <article className="prose-page -mx-4 px-5 py-8 sm:mx-0 sm:rounded-lg sm:px-12 sm:py-14">
        <TitleField
          ref={titleInput}
          value={view.title}
          error={view.titleError}
          isReadOnly={isReadOnly}
          onChange={(title) => session.setTitle(title)}
          onLeave={() => editor.focus()}
        />
        <div className="relative">
          <ContentEditable
            id={DOCUMENT_ID}
            aria-label="Idea"
            aria-placeholder={messages.bodyPlaceholder}
            placeholder={PLACEHOLDER}
            className="prose-document min-h-[60dvh] outline-none"
          />
        </div>
      </article>
      {view.idea !== null && <IdeaDetails idea={view.idea} />}
      <LinkPrompt />
      <VideoPrompt />
      <ImageUploads ideaId={view.idea?.id} />
      <PublishDialog
        open={isAsking}
        savesFirst={view.isDirty}
        onClose={() => setAsking(false)}
        onConfirm={publish}
      />
      <LeaveGuard session={session} isDirty={view.isDirty} />
    </PageLayout>
  );
}

// A constant: a new element on each render would make Lexical rebuild the surface.
const PLACEHOLDER = (
  <p className="prose-document pointer-events-none absolute inset-x-0 top-0 select-none opacity-60">
    {messages.bodyPlaceholder}
  </p>
);

function DocumentTitle({ title }: { title: string }) {
  useEffect(() => {
    document.title = `${title.trim() || "Untitled Idea"} · IdeaVault`;
  }, [title]);
  return null;
}
