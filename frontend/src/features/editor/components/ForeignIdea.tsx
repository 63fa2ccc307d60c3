import { useState } from "react";
import type { Idea } from "@/api/generated";
import { TextField } from "@/ui/form/TextField";
import { PageHeading } from "@/ui/PageHeading";
import type { AssistantDocument } from "../assistantSlot";
import { messages } from "../messages";
import { fixedAdapter } from "../session/documentAdapter";
import { EditorScreen, type TitleState } from "./EditorScreen";
import { ForeignContent } from "./ForeignContent";
import { MAX_TITLE } from "./TitleField";

/** The assistant can be used, but cannot read or change this content. */
const UNREADABLE: AssistantDocument = {
  canChange: false,
  readSelection: () => "",
  readText: () => "",
  insert: () => undefined,
  replace: () => undefined,
};

interface ForeignIdeaProps {
  readonly idea: Idea;
  readonly onReplaced: (other: Idea) => void;
}

/**
 * An idea whose content is not rich text: its title can be changed and it can be published, while
 * the content is read-only and is sent back unchanged.
 */
export function ForeignIdea({ idea, onReplaced }: ForeignIdeaProps) {
  const [adapter] = useState(() => fixedAdapter(idea.content));
  const isPdf = idea.contentKind === "pdf";
  return (
    <EditorScreen
      idea={idea}
      adapter={adapter}
      onReplaced={onReplaced}
      heading={({ title }) => (
        <PageHeading documentTitle={title} className="wrap-anywhere mb-4 max-sm:text-2xl">
          {isPdf ? `PDF Document: ${title}` : title}
        </PageHeading>
      )}
      assistantDocument={isPdf ? undefined : UNREADABLE}
    >
      {(title, view) => (
        <div className="flex flex-col gap-6">
          {view.idea?.status !== "published" && <Title {...title} />}
          <ForeignContent idea={idea} />
        </div>
      )}
    </EditorScreen>
  );
}

function Title({ ref, value, error, isReadOnly, onChange }: TitleState) {
  return (
    <TextField
      ref={ref}
      label="Title"
      placeholder={messages.titlePlaceholder}
      value={value}
      error={error ?? undefined}
      readOnly={isReadOnly}
      maxLength={MAX_TITLE}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
