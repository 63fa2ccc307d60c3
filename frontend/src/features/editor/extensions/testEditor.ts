/** Editors without a screen, for tests of documents. */
import { buildEditorFromExtensions, type LexicalEditorWithDispose } from "@lexical/extension";
import { $getRoot, type AnyLexicalExtensionArgument, type LexicalEditor } from "lexical";
import { $exportHtml } from "../html/exportHtml";
import type { HtmlOrigin } from "../html/htmlOrigin";
import { $importHtml } from "../html/importHtml";
import { documentTheme } from "../theme";
import { DocumentExtension } from "./document";

/** Creates an editor with the document language and `html` as its content. */
export function createTestEditor(
  html = "",
  origin: HtmlOrigin = "stored",
  ...extensions: AnyLexicalExtensionArgument[]
): LexicalEditorWithDispose {
  const editor = buildEditorFromExtensions(
    {
      name: "test",
      namespace: "ideavault",
      theme: documentTheme,
      onError: raise,
      $initialEditorState: null,
    },
    DocumentExtension,
    ...extensions,
  );
  loadHtml(editor, html, origin);
  return editor;
}

/** Replaces the content of an editor. */
export function loadHtml(editor: LexicalEditor, html: string, origin: HtmlOrigin = "stored"): void {
  editor.update(
    () => {
      $getRoot()
        .clear()
        .append(...$importHtml(html, origin));
    },
    { discrete: true },
  );
}

/** Returns the document as it would be stored. */
export function htmlOf(editor: LexicalEditor): string {
  return editor.read($exportHtml);
}

function raise(error: Error): never {
  throw error;
}
