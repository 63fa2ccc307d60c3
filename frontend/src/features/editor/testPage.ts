/** Opening the editor screen in tests, and typing where jsdom cannot. */
import { act, screen, waitFor } from "@testing-library/react";
import { $getRoot, getNearestEditorFromDOMNode, type LexicalEditor } from "lexical";
import { expect } from "vitest";
import type { Idea } from "@/api/generated";
import { answer, signedIn } from "@/testing/api";
import { anIdea } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { messages } from "./messages";

/** What a server adds to an idea when it is published. */
export const PUBLISHED = {
  status: "published",
  documentId: "IV-7K3M-Q9TX-2B4N",
  blockchainTimestamp: "2026-11-21T10:00:00.000000Z",
} as const;

/** The screen of a new idea. */
export async function openNew() {
  signedIn();
  const app = renderRoute("/editor/new");
  return { ...app, editor: await findEditor() };
}

/** The screen of a saved idea. */
export async function openIdea(over: Partial<Idea> = {}) {
  signedIn();
  const idea = anIdea(over);
  answer("get", `/api/ideas/${idea.id}`, 200, idea);
  const app = renderRoute(`/editor/${idea.id}`);
  return { ...app, editor: await findEditor(), idea };
}

/** The live editor, once it is on the page. */
export async function findEditor(): Promise<LexicalEditor> {
  const surface = await screen.findByRole("textbox", { name: "Idea" });
  const editor = getNearestEditorFromDOMNode(surface);
  if (editor === null) throw new Error("no editor on the page");
  return editor;
}

/** Adds text at the end of the document, as the browser's typing would. */
export async function type(editor: LexicalEditor, text: string): Promise<void> {
  await act(async () => {
    editor.update(
      () => {
        $getRoot().selectEnd().insertText(text);
      },
      { discrete: true },
    );
  });
}

/** Waits until this text is being edited; the page may be on its way to another idea. */
export const showsText = (text: string) => waitFor(() => expect(surface()).toHaveTextContent(text));
/** The text being edited. */
export const surface = () => screen.getByRole("textbox", { name: "Idea" });
/** The field for the title. */
export const titleInput = () => screen.getByPlaceholderText(messages.titlePlaceholder);
/** A button by its name. */
export const button = (name: string) => screen.getByRole("button", { name });
