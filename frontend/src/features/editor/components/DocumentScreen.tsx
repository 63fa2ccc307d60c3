import { useLexicalComposerContext } from "@lexical/react/LexicalComposerContext";
import { ContentEditable } from "@lexical/react/LexicalContentEditable";
import { useState } from "react";
import type { Idea } from "@/api/generated";
import { useWasIdle } from "@/ui/useWasIdle";
import { templateSections } from "../extensions/templateSections";
import { messages } from "../messages";
import { lexicalAdapter } from "../session/lexicalAdapter";
import { Toolbar } from "../toolbar/Toolbar";
import { EditorScreen } from "./EditorScreen";
import { ImageUploads } from "./ImageUploads";
import { LinkPrompt } from "./LinkPrompt";
import { lexicalAssistantDocument } from "./lexicalAssistantDocument";
import { PasteLosses } from "./PasteLosses";
import { ScreenHeading } from "./ScreenHeading";
import { TitleField } from "./TitleField";
import { VideoPrompt } from "./VideoPrompt";

interface DocumentScreenProps {
  readonly idea: Idea | null;
  readonly onCreated: (idea: Idea) => void;
  readonly onReplaced: (other: Idea) => void;
}

const DOCUMENT_ID = "idea-document";

/** The editor's screen around one live document. */
export function DocumentScreen({ idea, onCreated, onReplaced }: DocumentScreenProps) {
  const [editor] = useLexicalComposerContext();
  const [adapter] = useState(() => lexicalAdapter(editor));
  const [assistantDocument] = useState(() => lexicalAssistantDocument(editor));
  const [sections] = useState(() => templateSections(editor));
  const wasIdle = useWasIdle();
  return (
    <EditorScreen
      idea={idea}
      adapter={adapter}
      onCreated={onCreated}
      onReplaced={onReplaced}
      heading={(view) => <ScreenHeading>{headingOf(view.idea)}</ScreenHeading>}
      toolbar={<Toolbar controls={DOCUMENT_ID} />}
      assistantDocument={assistantDocument}
      sections={sections}
    >
      {(title, view, session) => (
        <>
          <article className="prose-page -mx-4 px-5 py-8 sm:mx-0 sm:rounded-lg sm:px-12 sm:py-14">
            <TitleField {...title} onLeave={() => editor.focus()} />
            <div className="relative">
              <ContentEditable
                id={DOCUMENT_ID}
                // The saved words are the author's.
                translate="no"
                aria-label="Idea"
                aria-placeholder={messages.bodyPlaceholder}
                placeholder={PLACEHOLDER}
                data-first-screen={wasIdle ? undefined : ""}
                className="prose-document min-h-[60dvh] outline-none"
              />
            </div>
          </article>
          {!view.isLocked && (
            <>
              <LinkPrompt />
              <VideoPrompt />
              <PasteLosses />
            </>
          )}
          <ImageUploads session={session} view={view} />
        </>
      )}
    </EditorScreen>
  );
}

// A constant: a new element on each render would make Lexical rebuild the editable element.
const PLACEHOLDER = (
  <p className="prose-document pointer-events-none absolute inset-x-0 top-0 select-none opacity-60">
    {messages.bodyPlaceholder}
  </p>
);

function headingOf(idea: Idea | null): string {
  if (idea === null) return "New idea";
  return idea.status === "published" ? "Published idea" : "Edit idea";
}
