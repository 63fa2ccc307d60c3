import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { deferResponse, respondWith } from "@/testing/api";
import { anIdea, aUser } from "@/testing/fixtures";
import { draftKey, readDrafts, writeDraft } from "./session/drafts";
import { button, confirmDiscard, openIdea, showsText, titleInput, type } from "./testPage";

describe("unsaved changes", () => {
  it("block navigation until the user decides", async () => {
    const { editor, user, path } = await openIdea();
    respondWith("get", "/api/ideas", 200, []);
    await type(editor, "!");
    await user.click(screen.getByRole("link", { name: "Back to Dashboard" }));
    await user.click(await screen.findByRole("button", { name: "Stay" }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument());
    expect(path()).toBe("/editor/7");
    await showsText("Water wicks up.!");
    await user.click(screen.getByRole("link", { name: "Back to Dashboard" }));
    await user.click(await screen.findByRole("button", { name: "Leave" }));
    await waitFor(() => expect(path()).toBe("/dashboard"));
  });

  it("are asked about once before a logout", async () => {
    const { editor, user, path } = await openIdea();
    respondWith("post", "/api/auth/logout", 200, { success: true });
    await type(editor, "!");
    await user.click(await screen.findByRole("button", { name: "Account" }));
    await user.click(await screen.findByRole("menuitem", { name: "Log Out" }));
    expect(path()).toBe("/editor/7");
    await user.click(await screen.findByRole("button", { name: "Sign out" }));
    await waitFor(() => expect(path()).toBe("/login"));
    expect(readDrafts(draftKey(aUser().id, 7))).toEqual([]);
  });

  it("block no more once they are saved", async () => {
    const { editor, user, path } = await openIdea();
    respondWith("get", "/api/ideas", 200, []);
    const save = deferResponse("put", "/api/ideas/7");
    await type(editor, "!");
    await user.click(button("Save Changes"));
    await user.click(screen.getByRole("link", { name: "Back to Dashboard" }));
    await screen.findByRole("alertdialog", { name: "Leave without saving?" });
    save.release(200, anIdea({ revision: 2 }));
    await waitFor(() => expect(path()).toBe("/dashboard"));
  });

  it("warn before the page closes, and only then", async () => {
    const { editor } = await openIdea();
    const close = () => {
      const event = new Event("beforeunload", { cancelable: true });
      window.dispatchEvent(event);
      return event.defaultPrevented;
    };
    expect(close()).toBe(false);
    await type(editor, "!");
    await waitFor(() => expect(close()).toBe(true));
  });

  it("are reported as lost where the browser cannot keep them", async () => {
    const { editor, user } = await openIdea();
    const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    await type(editor, "!");
    await user.click(screen.getByRole("link", { name: "Back to Dashboard" }));
    const dialog = await screen.findByRole("alertdialog", { name: "Leave without saving?" });
    expect(dialog).toHaveTextContent("They are on this page only, and would be lost.");
    full.mockRestore();
  });

  it("are offered at the next visit, and restored with one step of undo", async () => {
    const key = draftKey(aUser().id, 7);
    const draft = { session: "s1", title: "Draft", html: "<p>Lost and found</p>", baseRevision: 1 };
    writeDraft(key, { ...draft, savedAt: Date.now() - 5 * 60_000 });
    const { user } = await openIdea();
    expect(await screen.findByText(/Unsaved changes from 5 minutes ago/)).toBeInTheDocument();
    await showsText("Water wicks up.");
    const restore = button("Restore");
    await user.click(restore);
    await showsText("Lost and found");
    await waitFor(() => expect(titleInput()).toHaveValue("Draft"));
    expect(await screen.findByText("Unsaved changes")).toBeInTheDocument();
    await waitFor(() => expect(restore).not.toBeInTheDocument());
    await waitFor(() => expect(button("Undo")).not.toHaveAttribute("aria-disabled", "true"));
    await user.click(button("Undo"));
    await showsText("Water wicks up.");
  });

  it("are offered themselves, with their title, once a draft has taken their place", async () => {
    const key = draftKey(aUser().id, 7);
    const draft = { session: "s1", title: "Draft", html: "<p>Lost and found</p>", baseRevision: 1 };
    writeDraft(key, { ...draft, savedAt: Date.now() - 5 * 60_000 });
    const { editor, user } = await openIdea();
    await user.clear(titleInput());
    await user.type(titleInput(), "Typed");
    await type(editor, "!");
    await user.click(await screen.findByRole("button", { name: "Restore" }));
    await waitFor(() => expect(titleInput()).toHaveValue("Draft"));
    await screen.findByText(/Unsaved changes from just now/);
    await user.click(button("Restore"));
    await waitFor(() => expect(titleInput()).toHaveValue("Typed"));
    await showsText("Water wicks up.!");
  });

  it("cannot be restored while a save is running", async () => {
    const key = draftKey(aUser().id, 7);
    writeDraft(key, { session: "s1", title: "T", html: "<p>x</p>", savedAt: 1, baseRevision: 1 });
    const { editor, user } = await openIdea();
    const save = deferResponse("put", "/api/ideas/7");
    await type(editor, "!");
    await user.click(button("Save Changes"));
    await waitFor(() => expect(button("Restore")).toHaveAttribute("aria-disabled", "true"));
    await user.click(button("Restore"));
    await showsText("Water wicks up.!");
    save.release(200, anIdea({ revision: 2 }));
    await waitFor(() => expect(button("Restore")).not.toHaveAttribute("aria-disabled"));
    await user.click(button("Restore"));
    await showsText("x");
  });

  it("are discarded on request, after a question", async () => {
    const key = draftKey(aUser().id, 7);
    writeDraft(key, { session: "s1", title: "T", html: "<p>x</p>", savedAt: 1, baseRevision: 0 });
    const { user } = await openIdea();
    const offer = await screen.findByText(/The idea has been saved since then/);
    await user.click(button("Discard"));
    await user.click(await screen.findByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(button("Discard")).toHaveFocus());
    expect(readDrafts(key)).toHaveLength(1);
    await user.click(button("Discard"));
    await confirmDiscard(user);
    await waitFor(() => expect(readDrafts(key)).toHaveLength(0));
    await waitFor(() => expect(offer).not.toBeInTheDocument());
  });

  it("do not replace the older draft while the user types", async () => {
    const key = draftKey(aUser().id, 7);
    writeDraft(key, { session: "s1", title: "T", html: "<p>old</p>", savedAt: 1, baseRevision: 1 });
    const { editor } = await openIdea();
    await type(editor, " new");
    await waitFor(() => expect(readDrafts(key)).toHaveLength(2));
    expect(readDrafts(key).map(({ html }) => html)).toContain("<p>old</p>");
  });
});
