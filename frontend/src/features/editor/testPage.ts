/** Helpers that open the editor screen in tests, and type where jsdom cannot. */
import { $insertDataTransferForRichText } from "@lexical/clipboard";
import { act, screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { $getRoot, getNearestEditorFromDOMNode, type LexicalEditor, PASTE_TAG } from "lexical";
import { expect } from "vitest";
import type { Idea } from "@/api/generated";
import { respondWith, signedIn } from "@/testing/api";
import { anIdea } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { messages } from "./messages";

/** Fields that the server adds when an idea is published. */
export const PUBLISHED = {
  status: "published",
  documentId: "IV-7K3M-Q9TX-2B4N",
  blockchainTimestamp: "2026-11-21T10:00:00.000000Z",
} as const;

/** Opens the screen of a new idea. */
export async function openNew() {
  signedIn();
  const app = renderRoute("/editor/new");
  return { ...app, editor: await findEditor() };
}

/** Opens the screen of a saved idea. */
export async function openIdea(over: Partial<Idea> = {}) {
  signedIn();
  const idea = anIdea(over);
  respondWith("get", `/api/ideas/${idea.id}`, 200, idea);
  const app = renderRoute(`/editor/${idea.id}`);
  return { ...app, editor: await findEditor(), idea };
}

/** Answers the question before kept changes are discarded. */
export async function confirmDiscard(user: UserEvent): Promise<void> {
  const question = await screen.findByRole("alertdialog", { name: "Discard these changes?" });
  await user.click(within(question).getByRole("button", { name: "Discard" }));
}

/** Finds the live editor. */
export async function findEditor(): Promise<LexicalEditor> {
  const editable = await screen.findByRole("textbox", { name: "Idea" });
  const editor = getNearestEditorFromDOMNode(editable);
  if (editor === null) throw new Error("no editor on the page");
  return editor;
}

/** Types text at the end of the document. */
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

/** Pastes HTML, with these files beside it, at the end of the document. */
export async function paste(
  editor: LexicalEditor,
  html: string,
  files: readonly File[] = [],
): Promise<void> {
  const data: Partial<Record<string, string>> = { "text/html": html, "text/plain": "plain" };
  const clipboard = { getData: (type: string) => data[type] ?? "", files };
  await act(async () => {
    editor.update(
      () =>
        $insertDataTransferForRichText(
          clipboard as unknown as DataTransfer,
          $getRoot().selectEnd(),
          editor,
        ),
      {
        discrete: true,
        tag: PASTE_TAG,
      },
    );
  });
}

/** Waits until the editor shows this text; the page may still be navigating to another idea. */
export const showsText = (text: string) =>
  waitFor(() => expect(editable()).toHaveTextContent(text));
/** Returns the editable element. */
export const editable = () => screen.getByRole("textbox", { name: "Idea" });
/** Returns the title field. */
export const titleInput = () => screen.getByPlaceholderText(messages.titlePlaceholder);
/** Returns a button by name. */
export const button = (name: string) => screen.getByRole("button", { name });
