import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, test, vi } from "vitest";
import type { Idea } from "@/api/generated";
import { respondWith, signedIn } from "@/testing/api";
import { anIdea, aUser } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { messages } from "./messages";
import { draftKey, readDrafts, writeDraft } from "./session/drafts";
import { button, confirmDiscard, PUBLISHED } from "./testPage";

// The browser APIs that pdf.js needs do not exist in jsdom.
vi.mock("@/pdf/PdfDocument", () => ({
  PdfDocument: ({ fileName }: { fileName: string }) => <p>{fileName}</p>,
}));
vi.mock("@/pdf/byteSource", () => ({ openByteSource: async () => ({ length: 1 }) }));
vi.mock("@/pdf/loadEngine", () => ({ preloadEngine: () => undefined }));

const PDF: Partial<Idea> = {
  contentKind: "pdf",
  content: { type: "pdf", fileName: "plan.pdf", pdfPath: "/api/files/x" },
};
const CANVAS: Partial<Idea> = {
  contentKind: "canvas",
  content: { elements: [{ type: "text", x: 1, y: 2, text: "Base plate" }] },
};
const LEGACY: Partial<Idea> = { contentKind: "legacy", content: { body: "Old words" } };

async function openForeign(over: Partial<Idea>) {
  signedIn();
  const idea = anIdea(over);
  respondWith("get", "/api/ideas/7", 200, idea);
  const app = renderRoute("/editor/7");
  await screen.findByText(/plan\.pdf|Base plate|Old words/);
  return { ...app, idea };
}

describe.each([
  ["a PDF", PDF, "PDF Document: Self-watering planter"],
  ["a canvas", CANVAS, "Self-watering planter"],
  ["legacy content", LEGACY, "Self-watering planter"],
])("an idea made of %s", (_, over, heading) => {
  it("is saved with its content unchanged", async () => {
    const { user, idea } = await openForeign(over);
    expect(screen.getByRole("heading", { level: 1, name: heading })).toBeVisible();
    const updates = respondWith("put", "/api/ideas/7", 200, { ...idea, title: "Planter" });
    const title = screen.getByLabelText("Title");
    await user.clear(title);
    await user.type(title, "Planter");
    await user.click(button(messages.save));
    expect(await screen.findByText(messages.updated)).toBeInTheDocument();
    expect(updates.map(({ body }) => body)).toMatchObject([
      { title: "Planter", content: idea.content, baseRevision: 1 },
    ]);
  });

  it("is published, and then read-only", async () => {
    const { user, idea } = await openForeign(over);
    respondWith("put", "/api/ideas/7/publish", 200, { ...idea, ...PUBLISHED });
    await user.click(button(messages.publish));
    await user.click(await screen.findByRole("button", { name: "Publish idea" }));
    expect(await screen.findByText(messages.readOnly)).toBeInTheDocument();
    const share = await screen.findByRole("link", { name: messages.share });
    expect(share).toHaveAttribute("href", "/share/7");
    expect(screen.queryByLabelText("Title")).not.toBeInTheDocument();
    expect(screen.queryByRole("button", { name: messages.save })).not.toBeInTheDocument();
  });
});

test.each([
  ["a PDF", PDF],
  ["a canvas", CANVAS],
])("shows the unsaved title of %s published meanwhile, until it is discarded", async (_, over) => {
  const key = draftKey(aUser().id, 7);
  writeDraft(key, { session: "s", title: "Planter 2", html: "", savedAt: 1, baseRevision: 1 });
  const { user } = await openForeign({ ...over, ...PUBLISHED });
  const offer = within(await screen.findByRole("region", { name: "Unsaved draft" }));
  expect(offer.getByText(/The unsaved title is “Planter 2”/)).toBeVisible();
  expect(offer.getAllByRole("button")).toHaveLength(1);
  await user.click(offer.getByRole("button", { name: "Discard" }));
  await confirmDiscard(user);
  await waitFor(() => expect(readDrafts(key)).toEqual([]));
});

test("needs a title", async () => {
  const { user } = await openForeign(PDF);
  await user.clear(screen.getByLabelText("Title"));
  await user.click(button(messages.save));
  expect(await screen.findByText(messages.titleRequired)).toBeVisible();
});

test("a changed title holds back navigation", async () => {
  const { user, path } = await openForeign(CANVAS);
  await user.type(screen.getByLabelText("Title"), "!");
  await user.click(screen.getByRole("link", { name: "Back to Dashboard" }));
  await user.click(await screen.findByRole("button", { name: "Stay" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument());
  expect(path()).toBe("/editor/7");
});

test.each([
  ["hidden on", PDF, 0],
  ["shown on", CANVAS, 1],
  ["shown on", LEGACY, 1],
])("'Write with AI' is %s %o", async (_, over, count) => {
  await openForeign(over);
  expect(screen.queryAllByRole("button", { name: "Write with AI" })).toHaveLength(count);
});
