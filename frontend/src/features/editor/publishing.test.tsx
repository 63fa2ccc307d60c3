import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { answer } from "@/testing/api";
import { anIdea } from "@/testing/fixtures";
import { messages } from "./messages";
import { button, openIdea, PUBLISHED, surface, titleInput, type } from "./testPage";

vi.setConfig({ testTimeout: 20_000 });

describe("publishing", () => {
  it("asks, saves what is unsaved, publishes and becomes read-only", async () => {
    const { editor, user, idea } = await openIdea();
    const updates = answer("put", "/api/ideas/7", 200, { ...idea, revision: 2 });
    const published = answer("put", "/api/ideas/7/publish", 200, { ...idea, ...PUBLISHED });
    await type(editor, " Slowly.");
    await user.click(button("Publish"));
    const dialog = await screen.findByRole("alertdialog", { name: "Publish this idea?" });
    expect(dialog).toHaveTextContent("Publishing is final.");
    expect(dialog).toHaveTextContent("Your unsaved changes are saved first.");
    await user.click(within(dialog).getByRole("button", { name: "Publish idea" }));
    expect(await screen.findByText("Idea published successfully")).toBeInTheDocument();
    expect(updates).toHaveLength(1);
    expect(published).toHaveLength(1);
    expect(screen.getByText(messages.readOnly)).toBeInTheDocument();
    expect(editor.isEditable()).toBe(false);
    expect(titleInput()).toHaveAttribute("readonly");
    expect(screen.queryByRole("toolbar")).not.toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Save Changes" })).not.toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Share It" })).toHaveAttribute("href", "/share/7");
  });

  it("does not publish what could not be saved", async () => {
    const { editor, user } = await openIdea();
    answer("put", "/api/ideas/7", 503, { message: "Down." });
    const published = answer("put", "/api/ideas/7/publish", 200, anIdea(PUBLISHED));
    await type(editor, " Slowly.");
    await user.click(button("Publish"));
    await user.click(await screen.findByRole("button", { name: "Publish idea" }));
    expect(await screen.findByText("Failed to update idea")).toBeInTheDocument();
    expect(published).toHaveLength(0);
    expect(surface()).toHaveTextContent("Slowly.");
  });

  it("reports its failure and leaves the idea a draft", async () => {
    const { user } = await openIdea();
    answer("put", "/api/ideas/7/publish", 503, { message: "Down." });
    await user.click(button("Publish"));
    await user.click(await screen.findByRole("button", { name: "Publish idea" }));
    expect(await screen.findByText("Failed to publish idea")).toBeInTheDocument();
    expect(button("Publish")).toBeInTheDocument();
  });

  it("does nothing when the person thinks again", async () => {
    const { user } = await openIdea();
    const published = answer("put", "/api/ideas/7/publish", 200, anIdea(PUBLISHED));
    await user.click(button("Publish"));
    await user.click(await screen.findByRole("button", { name: "Cancel" }));
    expect(published).toHaveLength(0);
  });
});

describe("a published idea", () => {
  it("shows its notice, badge and share link, and takes no changes", async () => {
    const { user, editor } = await openIdea(PUBLISHED);
    const updates = answer("put", "/api/ideas/7", 200, anIdea());
    expect(screen.getByText(messages.readOnly)).toBeInTheDocument();
    expect(screen.getAllByText("Published").length).toBeGreaterThan(0);
    expect(editor.isEditable()).toBe(false);
    for (const name of ["Save Changes", "Publish", "Bold"]) {
      expect(screen.queryByRole("button", { name })).not.toBeInTheDocument();
    }
    await user.keyboard("{Control>}s{/Control}");
    expect(updates).toHaveLength(0);
    expect(screen.getByText("IV-7K3M-Q9TX-2B4N")).toBeInTheDocument();
  });
});
