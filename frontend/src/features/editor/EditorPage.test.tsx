import { act, screen, waitFor, within } from "@testing-library/react";
import { $getSelection, UNDO_COMMAND } from "lexical";
import { describe, expect, it, vi } from "vitest";
import { deferResponse, neverRespond, respondWith, signedIn } from "@/testing/api";
import { aListedIdea, anIdea, aUser } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { draftKey, readDrafts } from "./session/drafts";
import {
  button,
  editable,
  findEditor,
  openIdea,
  openNew,
  showsText,
  titleInput,
  type,
} from "./testPage";

vi.mock("@/pdf/byteSource", () => ({ openByteSource: async () => ({ length: 1 }) }));
vi.mock("@/pdf/loadEngine", () => ({
  loadEngine: () => new Promise(() => undefined),
  preloadEngine: () => undefined,
}));
vi.mock("@/pdf/worker", () => ({
  acquireWorker: () => ({
    worker: { addEventListener: vi.fn(), terminate: vi.fn() },
    started: Promise.resolve(),
  }),
}));

describe("a new idea", () => {
  it("starts from the template with the default title", async () => {
    await openNew();
    expect(titleInput()).toHaveValue("My New Idea");
    for (const section of [
      "My Idea",
      "Problem Statement",
      "Solution Overview",
      "Key Features",
      "Target Audience",
      "Implementation Notes",
      "Next Steps",
    ]) {
      expect(within(editable()).getByRole("heading", { name: section })).toBeInTheDocument();
    }
    expect(screen.queryByRole("button", { name: "Publish" })).not.toBeInTheDocument();
    expect(screen.getByText("Not saved yet")).toBeInTheDocument();
  });

  it("is created, moves to its own address and keeps its editor", async () => {
    const { editor, user, path } = await openNew();
    const created = respondWith("post", "/api/ideas", 201, anIdea({ id: 12, title: "Boat" }));
    await user.clear(titleInput());
    await user.type(titleInput(), "Boat");
    await type(editor, " and more");
    await user.click(button("Create Idea"));
    expect(await screen.findByText("Idea created successfully")).toBeInTheDocument();
    await waitFor(() => expect(path()).toBe("/editor/12"));
    expect(await findEditor()).toBe(editor);
    await showsText("and more");
    expect(await screen.findByRole("button", { name: "Save Changes" })).toBeInTheDocument();
    expect(await screen.findByRole("button", { name: "Publish" })).toBeInTheDocument();
    expect(created).toHaveLength(1);
    expect(created[0]?.body).toMatchObject({
      title: "Boat",
      content: expect.stringMatching(/^<h1>My Idea<\/h1>.*<p> and more<\/p>$/),
    });
    respondWith("get", "/api/ideas", 200, []);
    await user.click(screen.getByRole("link", { name: "Back to Dashboard" }));
    await waitFor(() => expect(path()).toBe("/dashboard"));
  });

  it("keeps caret, scroll position and undo steps when it is created", async () => {
    const { editor, user } = await openNew();
    respondWith("post", "/api/ideas", 201, anIdea({ id: 12 }));
    await type(editor, "early");
    act(() => editable().focus());
    const caret = editor.read(() => $getSelection()?.clone());
    const scrollTo = vi.spyOn(window, "scrollTo");
    await user.keyboard("{Control>}s{/Control}");
    const tab = await screen.findByRole("link", { name: "Text", current: "page" });
    expect(tab).toHaveAttribute("href", "/editor/12");
    expect(editable()).toHaveFocus();
    expect(editor.read(() => $getSelection()?.is(caret ?? null))).toBe(true);
    expect(scrollTo).not.toHaveBeenCalled();
    await act(async () => void editor.dispatchCommand(UNDO_COMMAND));
    await waitFor(() => expect(editable()).not.toHaveTextContent("early"));
  });

  it("keeps everything typed when creating fails", async () => {
    const { editor, user, path } = await openNew();
    respondWith("post", "/api/ideas", 503, { message: "Try later." });
    await type(editor, "precious");
    await user.click(button("Create Idea"));
    expect(await screen.findByText("Failed to create idea")).toBeInTheDocument();
    expect(await screen.findByText("Save failed")).toBeInTheDocument();
    await showsText("precious");
    expect(path()).toBe("/editor/new");
    expect(readDrafts(draftKey(aUser().id, null))[0]?.html).toContain("precious");
    // As if the first attempt had arrived, with another text.
    respondWith("post", "/api/ideas", 201, anIdea({ id: 12, revision: 1 }));
    const saved = respondWith("put", "/api/ideas/12", 200, anIdea({ id: 12, revision: 2 }));
    await user.click(await screen.findByRole("button", { name: "Try again" }));
    await waitFor(() => expect(path()).toBe("/editor/12"));
    const content = expect.stringContaining("precious");
    expect(saved).toMatchObject([{ body: { baseRevision: 1, content } }]);
    await waitFor(() => expect(readDrafts(draftKey(aUser().id, null))).toHaveLength(0));
  });

  it("needs a title", async () => {
    const { user } = await openNew();
    const created = respondWith("post", "/api/ideas", 201, anIdea());
    await user.clear(titleInput());
    await user.type(titleInput(), "   ");
    await user.click(button("Create Idea"));
    expect(await screen.findByText("Please enter a title for your idea")).toBeInTheDocument();
    await waitFor(() => expect(titleInput()).toHaveFocus());
    expect(titleInput()).toBeInvalid();
    expect(created).toHaveLength(0);
    await user.type(titleInput(), "x");
    await waitFor(() =>
      expect(screen.queryByText("Please enter a title for your idea")).not.toBeInTheDocument(),
    );
  });

  it("cannot be published before it is saved", async () => {
    const { user } = await openNew();
    await user.keyboard("{Control>}{Shift>}{Enter}{/Shift}{/Control}");
    expect(
      await screen.findByText("Please save your idea first before publishing"),
    ).toBeInTheDocument();
  });
});

describe("a saved idea", () => {
  it("shows that it is loading", async () => {
    signedIn();
    neverRespond("get", "/api/ideas/7");
    renderRoute("/editor/7");
    expect(await screen.findByText("Loading idea...")).toBeInTheDocument();
  });

  it("opens with its title and content, with nothing to save", async () => {
    await openIdea();
    expect(titleInput()).toHaveValue("Self-watering planter");
    expect(editable()).toHaveTextContent("Water wicks up.");
    expect(screen.getByText("Saved")).toBeInTheDocument();
    await waitFor(() => expect(document.title).toBe("Self-watering planter · IdeaVault"));
  });

  it("saves with the button and with Ctrl+S", async () => {
    const { editor, user, idea } = await openIdea();
    const updates = respondWith("put", "/api/ideas/7", 200, { ...idea, revision: 2 });
    await type(editor, " Slowly.");
    expect(await screen.findByText("Unsaved changes")).toBeInTheDocument();
    await user.click(button("Save Changes"));
    expect(await screen.findByText("Idea updated successfully")).toBeInTheDocument();
    expect(await screen.findByText("Saved")).toBeInTheDocument();
    await type(editor, " Surely.");
    await user.keyboard("{Control>}s{/Control}");
    await waitFor(() => expect(updates).toHaveLength(2));
    expect(updates.map(({ body }) => body)).toMatchObject([
      {
        title: "Self-watering planter",
        content: "<p>Water wicks up. Slowly.</p>",
        baseRevision: 1,
      },
      {
        title: "Self-watering planter",
        content: "<p>Water wicks up. Slowly. Surely.</p>",
        baseRevision: 2,
      },
    ]);
  });

  it("keeps the text and says so when the session has ended", async () => {
    const { editor, user } = await openIdea();
    respondWith("put", "/api/ideas/7", 401, { message: "You are not signed in." });
    await type(editor, " Slowly.");
    await user.click(button("Save Changes"));
    expect(await screen.findByText("Failed to update idea")).toBeInTheDocument();
    const reason = await screen.findByText(/Your text is kept in this browser\./);
    expect(reason).toHaveTextContent("You are no longer signed in.");
    // The notice of the whole page, which styles hide beside this one, may be there by now.
    const alert = within(reason.closest<HTMLElement>('[role="alert"]') ?? document.body);
    const link = alert.getByRole("link", { name: "Sign in on a new tab" });
    expect(link).toHaveAttribute("target", "_blank");
    await showsText("Water wicks up. Slowly.");
    expect(readDrafts(draftKey(aUser().id, 7))[0]?.html).toBe("<p>Water wicks up. Slowly.</p>");
  });

  it("sends one save at a time", async () => {
    const { editor, user } = await openIdea();
    neverRespond("put", "/api/ideas/7");
    await type(editor, "!");
    await user.click(button("Save Changes"));
    expect(await screen.findByText("Saving…")).toBeInTheDocument();
    await waitFor(() => expect(button("Save Changes")).toHaveAttribute("aria-disabled", "true"));
  });

  it("loads the idea from the server each time it is opened", async () => {
    const { router } = await openIdea();
    respondWith("get", "/api/ideas", 200, []);
    await router.navigate("/dashboard");
    await screen.findByRole("heading", { name: "Idea Portfolio" });
    const { calls, release } = deferResponse("get", "/api/ideas/7");
    await router.navigate("/editor/7");
    await waitFor(() => expect(calls).toHaveLength(1));
    expect(await screen.findByText("Loading idea...")).toBeVisible();
    expect(screen.queryByRole("textbox", { name: "Idea" })).not.toBeInTheDocument();
    release(200, anIdea({ content: "<p>Saved elsewhere.</p>", revision: 2 }));
    await findEditor();
    await showsText("Saved elsewhere.");
  });

  it("does not open once it is deleted", async () => {
    const { router, user, store } = await openIdea();
    respondWith("get", "/api/ideas", 200, [aListedIdea()]);
    respondWith("delete", "/api/ideas/7", 204);
    await router.navigate("/dashboard");
    await user.click(await screen.findByRole("button", { name: "Delete Self-watering planter" }));
    respondWith("get", "/api/ideas", 200, []);
    await user.click(await screen.findByRole("button", { name: "Delete" }));
    await waitFor(() => expect(JSON.stringify(store.getState())).not.toContain("Water wicks up"));
    respondWith("get", "/api/ideas/7", 404, { message: "Not found." });
    await router.navigate("/editor/7");
    expect(await screen.findByRole("heading", { name: "Idea not found" })).toBeInTheDocument();
  });

  it("says when it does not exist", async () => {
    signedIn();
    respondWith("get", "/api/ideas/7", 404, { message: "Not found." });
    renderRoute("/editor/7");
    expect(await screen.findByRole("heading", { name: "Idea not found" })).toBeInTheDocument();
  });

  it("says that it is damaged, and whom to ask", async () => {
    signedIn();
    const message = "This cannot be read: its stored data is damaged.";
    respondWith("get", "/api/ideas/7", 500, { message });
    renderRoute("/editor/7");
    expect(await screen.findByText(message)).toBeVisible();
    expect(screen.queryByText(/Check your connection/)).not.toBeInTheDocument();
  });

  it("can be retried when it does not load", async () => {
    signedIn();
    respondWith("get", "/api/ideas/7", 503, { message: "Down." });
    const { user } = renderRoute("/editor/7");
    const again = await screen.findByRole("button", { name: "Try again" });
    respondWith("get", "/api/ideas/7", 200, anIdea());
    await user.click(again);
    expect(await findEditor()).toBeDefined();
  });
});

describe("content of another kind", () => {
  it("names a PDF", async () => {
    signedIn();
    const content = { type: "pdf", fileName: "plan.pdf", pdfPath: "/api/files/x" } as const;
    respondWith("get", "/api/ideas/7", 200, anIdea({ contentKind: "pdf", content }));
    renderRoute("/editor/7");
    expect(
      await screen.findByRole("heading", { name: "PDF Document: Self-watering planter" }),
    ).toBeInTheDocument();
    expect(await screen.findByText("plan.pdf")).toBeInTheDocument();
    const open = screen.getByRole("link", { name: "Open PDF" });
    expect(open).toHaveAttribute("href", "/api/files/x");
    expect(open).toHaveAttribute("target", "_blank");
  });

  it("draws a canvas", async () => {
    signedIn();
    const elements = [
      { type: "text", x: 10, y: 20, text: "Base plate", fontStyle: "bold" },
      { type: "circle", x: 50, y: 60, radius: 7, stroke: "#ff0000" },
    ];
    respondWith(
      "get",
      "/api/ideas/7",
      200,
      anIdea({ contentKind: "canvas", content: { elements } }),
    );
    renderRoute("/editor/7");
    const drawing = (await screen.findByText("Base plate")).closest("svg");
    expect(drawing?.querySelector("circle")).toHaveAttribute("r", "7");
    expect(screen.queryByText("Content imported from previous format")).not.toBeInTheDocument();
  });

  it("explains that legacy content was imported, and shows its texts", async () => {
    signedIn();
    const content = { pages: [{ body: "Old words" }] };
    respondWith("get", "/api/ideas/7", 200, anIdea({ contentKind: "legacy", content }));
    renderRoute("/editor/7");
    expect(await screen.findByText("Content imported from previous format")).toBeInTheDocument();
    expect(screen.getByText("Old words")).toBeInTheDocument();
  });
});
