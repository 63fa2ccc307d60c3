import { act, screen, waitFor, within } from "@testing-library/react";
import { $getSelection, $selectAll } from "lexical";
import { describe, expect, it } from "vitest";
import { deferResponse, respondWith } from "@/testing/api";
import { someEvidence } from "@/testing/evidence";
import { anIdea } from "@/testing/fixtures";
import { messages } from "./messages";
import { button, editable, openIdea, PUBLISHED, showsText, titleInput, type } from "./testPage";

describe("publishing", () => {
  it("asks, saves what is unsaved, publishes and becomes read-only", async () => {
    const { editor, user, idea } = await openIdea();
    const updates = respondWith("put", "/api/ideas/7", 200, { ...idea, revision: 2 });
    const published = respondWith("put", "/api/ideas/7/publish", 200, { ...idea, ...PUBLISHED });
    await type(editor, " Slowly.");
    await user.click(button("Publish"));
    const dialog = await screen.findByRole("alertdialog", { name: "Publish this idea?" });
    expect(dialog).toHaveTextContent("Publishing is final.");
    expect(dialog).toHaveTextContent("Your unsaved changes are saved first.");
    await user.click(within(dialog).getByRole("button", { name: "Publish idea" }));
    expect(await screen.findByText("Idea published successfully")).toBeInTheDocument();
    expect(updates).toHaveLength(1);
    expect(published).toHaveLength(1);
    expect(await screen.findByText(messages.readOnly)).toBeInTheDocument();
    expect(editor.isEditable()).toBe(false);
    await waitFor(() => expect(titleInput()).toHaveAttribute("readonly"));
    await waitFor(() => expect(screen.queryByRole("toolbar")).not.toBeInTheDocument());
    const share = await screen.findByRole("link", { name: "Share It" });
    expect(share).toHaveAttribute("href", "/share/7");
    expect(screen.queryByRole("button", { name: "Save Changes" })).not.toBeInTheDocument();
  });

  it("says what it does, and removes empty sections of the template if asked to", async () => {
    const content = [
      "<h1>My Idea</h1><p>A kettle.</p>",
      "<h2>Problem Statement</h2><p><br></p><p><br></p>",
      "<h2>Solution Overview</h2><h3>Heat</h3><p>It waits.</p>",
      "<h2>Costs</h2><p><br></p>",
      "<h2>Next Steps</h2><p><br></p>",
    ];
    const { user, idea } = await openIdea({ content: content.join("") });
    const updates = respondWith("put", "/api/ideas/7", 200, { ...idea, revision: 2 });
    const published = respondWith("put", "/api/ideas/7/publish", 200, { ...idea, ...PUBLISHED });
    await user.click(button("Publish"));
    const dialog = within(await screen.findByRole("alertdialog", { name: "Publish this idea?" }));
    expect(dialog.getByText(/makes nothing public and shows your idea to nobody/)).toBeVisible();
    await user.click(dialog.getByRole("checkbox", { name: /^Remove the 2 sections/ }));
    await user.click(dialog.getByRole("button", { name: "Publish idea" }));
    await waitFor(() => expect(published).toHaveLength(1));
    const left = [content[0], content[2], content[3]].join("");
    expect(updates).toMatchObject([{ body: { content: left } }]);
  });

  it("leaves no hints in what is published", async () => {
    const content = "<h2>Problem Statement</h2><p></p><p>Plants dry out.</p>";
    const { user, idea } = await openIdea({ content });
    const hints = () => editable().querySelectorAll("[data-placeholder]");
    await waitFor(() => expect(hints()).toHaveLength(1));
    respondWith("put", "/api/ideas/7/publish", 200, { ...idea, ...PUBLISHED });
    await user.click(button("Publish"));
    await user.click(await screen.findByRole("button", { name: "Publish idea" }));
    await screen.findByText(messages.readOnly);
    expect(hints()).toHaveLength(0);
  });

  it("shows the hints and the selection again when publishing fails", async () => {
    const content = "<h2>Problem Statement</h2><p></p><p>Plants dry out.</p>";
    const { editor, user } = await openIdea({ content });
    act(() => editor.update(() => void $selectAll(), { discrete: true }));
    respondWith("put", "/api/ideas/7/publish", 503, { message: "Down." });
    await user.click(button("Publish"));
    await user.click(await screen.findByRole("button", { name: "Publish idea" }));
    await screen.findByText("Failed to publish idea");
    expect(screen.getByRole("alert")).toHaveTextContent("Down. Your text is saved.");
    await waitFor(() => expect(editable().querySelectorAll("[data-placeholder]")).toHaveLength(1));
    const selected = editor.read(() => $getSelection()?.getTextContent());
    expect(selected).toContain("Plants dry out.");
    expect(editable()).not.toHaveFocus();
  });

  it("tells the author of a deleted idea to keep the page open", async () => {
    const { user } = await openIdea();
    respondWith("put", "/api/ideas/7/publish", 404, { message: "Idea not found" });
    await user.click(button("Publish"));
    await user.click(await screen.findByRole("button", { name: "Publish idea" }));
    expect(
      await screen.findByText(/no longer exists\. Your text is only on this page/),
    ).toBeVisible();
    respondWith("post", "/api/ideas", 503, { message: "Down." });
    await user.click(button("Save as a new idea"));
    expect(await screen.findByText(/Down\. Your text is only on this page/)).toBeVisible();
  });

  it("shows at once that the version is on record", async () => {
    respondWith("get", "/api/ideas/7/evidence", 200, someEvidence());
    const { user, idea } = await openIdea();
    expect(await screen.findByText("Not on record")).toBeInTheDocument();
    respondWith("get", "/api/ideas/7/evidence", 200, someEvidence({ onRecord: true }));
    respondWith("put", "/api/ideas/7/publish", 200, { ...idea, ...PUBLISHED });
    await user.click(button("Publish"));
    await user.click(await screen.findByRole("button", { name: "Publish idea" }));
    expect(await screen.findByText("Recorded by this server")).toBeInTheDocument();
  });

  it("offers to put a draft on record where it says that it is not", async () => {
    respondWith("get", "/api/ideas/7/evidence", 200, someEvidence({ revision: 4 }));
    const { user } = await openIdea();
    const recorded = someEvidence({ revision: 4, onRecord: true });
    const calls = respondWith("post", "/api/ideas/7/evidence/record", 200, recorded);
    const record = await screen.findByRole("button", { name: /^Put this version on record/ });
    respondWith("get", "/api/ideas/7/evidence", 200, recorded);
    await user.click(record);
    expect(await screen.findByText("Version 4 is on record.")).toBeInTheDocument();
    expect(await screen.findByText("Recorded by this server")).toBeInTheDocument();
    expect(record).not.toBeInTheDocument();
    expect(calls).toHaveLength(1);
  });

  it("does not publish what could not be saved", async () => {
    const { editor, user } = await openIdea();
    respondWith("put", "/api/ideas/7", 503, { message: "Down." });
    const published = respondWith("put", "/api/ideas/7/publish", 200, anIdea(PUBLISHED));
    await type(editor, " Slowly.");
    await user.click(button("Publish"));
    await user.click(await screen.findByRole("button", { name: "Publish idea" }));
    expect(await screen.findByText("Failed to update idea")).toBeInTheDocument();
    expect(published).toHaveLength(0);
    await showsText("Slowly.");
  });

  it("refuses changes until the response, and accepts them again after a failure", async () => {
    const { user, editor } = await openIdea();
    const saves = respondWith("put", "/api/ideas/7", 200, anIdea());
    const publish = deferResponse("put", "/api/ideas/7/publish");
    await user.click(button("Publish"));
    await user.click(await screen.findByRole("button", { name: "Publish idea" }));
    await waitFor(() => expect(publish.calls).toHaveLength(1));
    await waitFor(() => expect(titleInput()).toHaveAttribute("readonly"));
    await waitFor(() => expect(editable()).toHaveAttribute("contenteditable", "false"));
    await waitFor(() => expect(screen.queryByRole("toolbar")).not.toBeInTheDocument());
    await user.keyboard("{Control>}s{/Control}");
    publish.release(503, { message: "Down." });
    expect(await screen.findByText("Failed to publish idea")).toBeInTheDocument();
    expect(await screen.findByRole("toolbar")).toBeInTheDocument();
    await waitFor(() => expect(titleInput()).not.toHaveAttribute("readonly"));
    expect(editor.isEditable()).toBe(true);
    expect(saves).toHaveLength(0);
  });

  it("reports its failure and leaves the idea a draft", async () => {
    const { user } = await openIdea();
    respondWith("put", "/api/ideas/7/publish", 503, { message: "Down." });
    await user.click(button("Publish"));
    await user.click(await screen.findByRole("button", { name: "Publish idea" }));
    expect(await screen.findByText("Failed to publish idea")).toBeInTheDocument();
    expect(await screen.findByRole("button", { name: "Publish" })).toBeInTheDocument();
  });

  it("asks again when its failure is retried", async () => {
    const { user, idea } = await openIdea();
    const saves = respondWith("put", "/api/ideas/7", 200, idea);
    respondWith("put", "/api/ideas/7/publish", 503, { message: "Down." });
    await user.click(button("Publish"));
    await user.click(await screen.findByRole("button", { name: "Publish idea" }));
    const again = await screen.findByRole("button", { name: "Try again" });
    respondWith("put", "/api/ideas/7/publish", 200, { ...idea, ...PUBLISHED });
    await user.click(again);
    await user.click(await screen.findByRole("button", { name: "Publish idea" }));
    expect(await screen.findByText(messages.publishedNow)).toBeInTheDocument();
    expect(saves).toHaveLength(0);
  });

  it("is shown by a save when only its response was lost", async () => {
    const { user, idea, editor } = await openIdea();
    respondWith("put", "/api/ideas/7/publish", 504, { message: "Too slow." });
    await user.click(button("Publish"));
    await user.click(await screen.findByRole("button", { name: "Publish idea" }));
    await screen.findByText(messages.publishFailed);
    respondWith("get", "/api/ideas/7", 200, { ...idea, ...PUBLISHED });
    const message = "Published ideas cannot be edited or deleted";
    respondWith("put", "/api/ideas/7", 409, { message });
    await user.click(button(messages.save));
    expect(await screen.findByText(messages.readOnly)).toBeInTheDocument();
    expect(await screen.findByText(messages.publishedNow)).toBeInTheDocument();
    expect(editor.isEditable()).toBe(false);
    expect(screen.queryByText(new RegExp(message))).not.toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Save as a new idea" })).not.toBeInTheDocument();
  });

  it("publishes what is on the screen and nothing newer: both texts are shown", async () => {
    const { user } = await openIdea();
    const other = anIdea({ content: "<p>Rain fills it.</p>", revision: 2 });
    respondWith("get", "/api/ideas/7", 200, other);
    const message = "This idea has been saved elsewhere in the meantime. Nothing was overwritten.";
    const refused = respondWith("put", "/api/ideas/7/publish", 409, { message, revision: 2 });
    await user.click(button("Publish"));
    await user.click(await screen.findByRole("button", { name: "Publish idea" }));
    const dialog = await screen.findByRole("dialog", { name: "This idea was saved elsewhere" });
    expect(dialog).toHaveTextContent("Rain fills it.");
    expect(refused.map(({ url }) => url.search)).toEqual(["?baseRevision=1"]);
    expect(screen.queryByText("Failed to publish idea")).not.toBeInTheDocument();

    await user.click(within(dialog).getByRole("button", { name: "Take the saved one" }));
    await showsText("Rain fills it.");
    const published = respondWith("put", "/api/ideas/7/publish", 200, { ...other, ...PUBLISHED });
    await user.click(await screen.findByRole("button", { name: "Publish" }));
    await user.click(await screen.findByRole("button", { name: "Publish idea" }));
    expect(await screen.findByText("Idea published successfully")).toBeInTheDocument();
    expect(published.map(({ url }) => url.search)).toEqual(["?baseRevision=2"]);
  });

  it("shows the published text when another user was faster", async () => {
    const { user } = await openIdea();
    const other = anIdea({ content: "<p>Rain fills it.</p>", revision: 2, ...PUBLISHED });
    respondWith("get", "/api/ideas/7", 200, other);
    respondWith("put", "/api/ideas/7/publish", 409, { message: "Saved elsewhere.", revision: 2 });
    await user.click(button("Publish"));
    await user.click(await screen.findByRole("button", { name: "Publish idea" }));
    await screen.findByText(messages.readOnly);
    await showsText("Rain fills it.");
  });

  it("asks for a missing title first", async () => {
    const { user } = await openIdea();
    await user.clear(titleInput());
    await user.click(button("Publish"));
    expect(await screen.findByText(messages.titleRequired)).toBeVisible();
    await waitFor(() => expect(titleInput()).toHaveFocus());
    expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
  });

  it("does nothing when it is cancelled", async () => {
    const { user } = await openIdea();
    const published = respondWith("put", "/api/ideas/7/publish", 200, anIdea(PUBLISHED));
    await user.click(button("Publish"));
    await user.click(await screen.findByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument());
    expect(published).toHaveLength(0);
  });
});

describe("a published idea", () => {
  it("shows its notice, badge and share link, and refuses changes", async () => {
    const { user, editor } = await openIdea(PUBLISHED);
    const updates = respondWith("put", "/api/ideas/7", 200, anIdea());
    expect(screen.getByText(messages.readOnly)).toBeInTheDocument();
    expect(screen.getAllByText("Published").length).toBeGreaterThan(0);
    expect(editor.isEditable()).toBe(false);
    for (const name of ["Save Changes", "Publish", "Bold"]) {
      expect(screen.queryByRole("button", { name })).not.toBeInTheDocument();
    }
    await user.keyboard("{Control>}s{/Control}");
    expect(updates).toHaveLength(0);
    expect(await screen.findByText("IV-7K3M-Q9TX-2B4N")).toBeInTheDocument();
  });
});
