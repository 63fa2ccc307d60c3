import { ClickAfterLastBlockExtension } from "@lexical/extension";
import { LexicalExtensionComposer } from "@lexical/react/LexicalExtensionComposer";
import { $createParagraphNode, $getRoot, defineExtension } from "lexical";
import { useState } from "react";
import type { Idea } from "@/api/generated";
import { loadTextFont } from "@/ui/loadTextFont";
import { CaretFormatExtension } from "../extensions/caretFormat";
import { CaretMemoryExtension } from "../extensions/caretMemory";
import { DocumentExtension } from "../extensions/document";
import { TemplatePlaceholdersExtension } from "../extensions/templatePlaceholders";
import { $importHtml } from "../html/importHtml";
import { TEMPLATE_HTML } from "../template";
import { documentTheme } from "../theme";
import { DocumentScreen } from "./DocumentScreen";

// After this code, which the text waits for, and before the text is laid out.
void loadTextFont();

interface HtmlIdeaProps {
  /** Null for a new idea, which starts from the template. */
  readonly idea: Idea | null;
  readonly onCreated: (idea: Idea) => void;
  readonly onReplaced: (other: Idea) => void;
}

/** An idea whose content is rich text. The editor is created once per mount. */
export function HtmlIdea({ idea, onCreated, onReplaced }: HtmlIdeaProps) {
  const [extension] = useState(() => createEditorExtension(idea));
  return (
    <LexicalExtensionComposer extension={extension} contentEditable={null}>
      <DocumentScreen idea={idea} onCreated={onCreated} onReplaced={onReplaced} />
    </LexicalExtensionComposer>
  );
}

function createEditorExtension(idea: Idea | null) {
  const html = typeof idea?.content === "string" ? idea.content : TEMPLATE_HTML;
  return defineExtension({
    name: "ideavault/Editor",
    namespace: "ideavault",
    theme: documentTheme,
    editable: idea?.status !== "published",
    // As the initial state, not an edit: undo must never reach an empty page.
    $initialEditorState: () => {
      const blocks = $importHtml(html, "stored");
      $getRoot().append(...(blocks.length > 0 ? blocks : [$createParagraphNode()]));
    },
    // Lexical has already restored the last valid state; this only reports the error.
    onError: (error) =>
      queueMicrotask(() => {
        throw error;
      }),
    dependencies: [
      DocumentExtension,
      ClickAfterLastBlockExtension,
      CaretFormatExtension,
      CaretMemoryExtension,
      TemplatePlaceholdersExtension,
    ],
  });
}
