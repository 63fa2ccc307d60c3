import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { Idea } from "@/api/generated";
import { deferResponse, respondWith } from "@/testing/api";
import { anIdea, aUser } from "@/testing/fixtures";
import { conflictMessages as texts } from "./components/conflictMessages";
import { messages } from "./messages";
import { draftKey, readDrafts, writeDraft } from "./session/drafts";
import { button, findEditor, openIdea, PUBLISHED, showsText, titleInput, type } from "./testPage";

const KEY = draftKey(aUser().id, 7);
const OTHER = anIdea({
  title: "Planter, other tab",
  content: "<p>Rain fills it.</p>",
  revision: 2,
  lastModified: "2026-11-21T10:00:00.000000Z",
});

/** The server refuses the next saves with a conflict. */
function savedElsewhere(other: Idea = OTHER) {
  respondWith("get", "/api/ideas/7", 200, other);
  return respondWith("put", "/api/ideas/7", 409, {
    message: "This idea has been saved elsewhere in the meantime. Nothing was overwritten.",
    revision: other.revision,
  });
}

async function openConflict() {
  const app = await openIdea();
  const refused = savedElsewhere();
  await type(app.editor, " Mine.");
  await app.user.click(button(messages.save));
  const dialog = within(await screen.findByRole("dialog", { name: texts.title }));
  return { ...app, refused, dialog };
}

const mine = "<p>Water wicks up. Mine.</p>";

describe("a save over a newer version", () => {
  it("shows both, with the time of the other, and keeps a draft meanwhile", async () => {
    const { dialog, refused } = await openConflict();
    expect(refused.map(({ body }) => body)).toMatchObject([{ baseRevision: 1 }]);
    const own = dialog.getByRole("region", { name: texts.mine });
    expect(own).toHaveTextContent("Self-watering planterWater wicks up. Mine.");
    const other = dialog.getByRole("region", { name: texts.other });
    expect(other).toHaveTextContent("Planter, other tabRain fills it.");
    expect(own).toHaveAttribute("tabindex", "0");
    expect(dialog.getByText(/Nov 21, 2026/)).toHaveAttribute("datetime", OTHER.lastModified);
    expect(readDrafts(KEY)).toMatchObject([{ html: mine, baseRevision: 1 }]);
    expect(screen.queryByText(messages.updateFailed)).not.toBeInTheDocument();
  });

  it("marks the words that only one of them has", async () => {
    const { user, dialog } = await openConflict();
    await user.click(dialog.getByRole("button", { name: texts.differences }));
    const region = within(dialog.getByRole("region", { name: texts.legend }));
    const words = (role: string) =>
      region
        .getAllByRole(role)
        .map((part) => part.textContent)
        .join(" ");
    expect(words("deletion")).toMatch(/other tab.*Rain fills it/s);
    expect(words("insertion")).toMatch(/Self-watering.*Water wicks up. Mine/s);
    await user.click(dialog.getByRole("button", { name: texts.versions }));
    expect(dialog.getByRole("region", { name: texts.mine })).toBeVisible();
  });

  it("overwrites it when the user keeps theirs", async () => {
    const { user } = await openConflict();
    const saves = respondWith("put", "/api/ideas/7", 200, anIdea({ content: mine, revision: 3 }));
    await user.click(button(texts.keepMine));
    expect(await screen.findByText(messages.updated)).toBeInTheDocument();
    expect(saves.map(({ body }) => body)).toMatchObject([{ content: mine, baseRevision: 2 }]);
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    await waitFor(() => expect(readDrafts(KEY)).toEqual([]));
    await showsText("Water wicks up. Mine.");
  });

  it("asks again when a third version was saved meanwhile", async () => {
    const { user } = await openConflict();
    savedElsewhere(anIdea({ content: "<p>Third.</p>", revision: 3 }));
    await user.click(button(texts.keepMine));
    expect(await screen.findByText("Third.")).toBeInTheDocument();
    const saves = respondWith("put", "/api/ideas/7", 200, anIdea({ content: mine, revision: 4 }));
    await user.click(button(texts.keepMine));
    expect(await screen.findByText(messages.updated)).toBeInTheDocument();
    expect(saves.map(({ body }) => body)).toMatchObject([{ baseRevision: 3 }]);
  });

  it("opens the other, and keeps this text as a draft that can be restored", async () => {
    const { user } = await openConflict();
    await user.click(button(texts.takeOther));
    await showsText("Rain fills it.");
    expect(titleInput()).toHaveValue("Planter, other tab");
    expect(await screen.findByText("Saved")).toBeInTheDocument();
    const heading = await screen.findByRole("heading", { level: 1, name: "Edit idea" });
    await waitFor(() => expect(heading).toHaveFocus());

    // Further typing does not change the draft.
    await type(await findEditor(), " More.");
    await waitFor(() => expect(readDrafts(KEY)).toHaveLength(2));
    const saved = anIdea({ ...OTHER, content: "<p>Rain fills it. More.</p>", revision: 3 });
    const saves = respondWith("put", "/api/ideas/7", 200, saved);
    await user.click(button(messages.save));
    await waitFor(() => expect(saves[0]?.body).toMatchObject({ baseRevision: 2 }));
    await waitFor(() => expect(readDrafts(KEY)).toMatchObject([{ html: mine }]));

    await user.click(await screen.findByRole("button", { name: "Restore" }));
    await showsText("Water wicks up. Mine.");
    // The draft is based on an older revision, so that saving it conflicts again.
    const refused = savedElsewhere(saved);
    await user.click(button(messages.save));
    expect(await screen.findByRole("dialog", { name: texts.title })).toBeInTheDocument();
    expect(refused[0]?.body).toMatchObject({ content: mine, baseRevision: 1 });
  });

  it("can wait: Esc goes back to the text, and the next save asks again", async () => {
    const { user, editor, refused } = await openConflict();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    await waitFor(() => expect(button(messages.save)).toHaveFocus());
    await showsText("Water wicks up. Mine.");
    expect(await screen.findByText(/Your text is kept in this browser/)).toBeInTheDocument();
    await type(editor, " And more.");
    await user.keyboard("{Control>}s{/Control}");
    expect(
      await screen.findByText("Water wicks up. Mine. And more.", { selector: "[role=dialog] p" }),
    ).toBeVisible();
    expect(refused.at(-1)?.body).toMatchObject({ baseRevision: 1 });
  });

  it("is no conflict when the server has the same text", async () => {
    const { editor, user } = await openIdea();
    savedElsewhere(anIdea({ content: "<p>Water wicks up. Same.</p>", revision: 2 }));
    await type(editor, " Same.");
    await user.click(button(messages.save));
    expect(await screen.findByText(messages.updated)).toBeInTheDocument();
    expect(await screen.findByText("Saved")).toBeInTheDocument();
    const saves = respondWith("put", "/api/ideas/7", 200, anIdea({ revision: 3 }));
    await user.click(button(messages.save));
    await waitFor(() => expect(saves[0]?.body).toMatchObject({ baseRevision: 2 }));
    expect(await screen.findByText("Saved")).toBeInTheDocument();
  });

  it("is no conflict when only the response to an earlier attempt was lost", async () => {
    const { editor, user } = await openIdea();
    respondWith("put", "/api/ideas/7", 504, { message: "Too slow." });
    await type(editor, " One.");
    await user.click(button(messages.save));
    expect(await screen.findByText("Save failed")).toBeInTheDocument();
    const refused = savedElsewhere(anIdea({ content: "<p>Water wicks up. One.</p>", revision: 2 }));
    await type(editor, " Two.");
    await user.click(button(messages.save));
    expect(await screen.findByRole("dialog", { name: texts.title })).toBeInTheDocument();
    expect(refused.map(({ body }) => body)).toMatchObject([
      { content: "<p>Water wicks up. One. Two.</p>", baseRevision: 1 },
      { content: "<p>Water wicks up. One. Two.</p>", baseRevision: 2 },
    ]);
  });

  it("reports when the idea was published meanwhile", async () => {
    const { editor, user, path } = await openIdea();
    respondWith("get", "/api/ideas/7", 200, anIdea({ ...OTHER, ...PUBLISHED }));
    const message = "Published ideas cannot be edited or deleted";
    respondWith("put", "/api/ideas/7", 409, { message });
    await type(editor, " Mine.");
    await user.click(button(messages.save));
    expect(await screen.findByText(messages.updateFailed)).toBeInTheDocument();
    expect(
      await screen.findByText(new RegExp(`${message}\\. Your text is kept`)),
    ).toBeInTheDocument();
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();

    const created = respondWith("post", "/api/ideas", 201, anIdea({ id: 8, content: mine }));
    respondWith("get", "/api/ideas/8", 200, anIdea({ id: 8, content: mine }));
    const asNew = await screen.findByRole("button", { name: "Save as a new idea" });
    await user.click(asNew);
    expect(await screen.findByText(messages.created)).toBeInTheDocument();
    expect(created.map(({ body }) => body)).toMatchObject([
      { title: "Self-watering planter", content: mine },
    ]);
    await waitFor(() => expect(path()).toBe("/editor/8"));
    // The address changes before the page does.
    await waitFor(() => expect(asNew).not.toBeInTheDocument());
    await waitFor(() => expect(screen.getByText("Saved")).toBeInTheDocument());
    await showsText("Water wicks up. Mine.");
    await waitFor(() => expect(readDrafts(KEY)).toEqual([]));
  });

  it("retries to save it as a new idea", async () => {
    const { editor, user, path } = await openIdea();
    respondWith("put", "/api/ideas/7", 404, { message: "Not found." });
    await type(editor, " Mine.");
    await user.click(button(messages.save));
    respondWith("post", "/api/ideas", 503, { message: "Down." });
    await user.click(await screen.findByRole("button", { name: "Save as a new idea" }));
    const again = await screen.findByRole("button", { name: "Try again" });
    respondWith("post", "/api/ideas", 201, anIdea({ id: 8, content: mine }));
    respondWith("get", "/api/ideas/8", 200, anIdea({ id: 8, content: mine }));
    await user.click(again);
    await waitFor(() => expect(path()).toBe("/editor/8"));
  });

  it("offers unsaved text on the published idea", async () => {
    const draft = { session: "s", title: "Mine", html: mine, savedAt: Date.now(), baseRevision: 1 };
    writeDraft(KEY, draft);
    const { user, path } = await openIdea({ ...OTHER, ...PUBLISHED });
    expect(screen.queryByRole("button", { name: "Restore" })).not.toBeInTheDocument();
    const refused = respondWith("post", "/api/ideas", 503, { message: "Down." });
    await user.click(await screen.findByRole("button", { name: "Save as a new idea" }));
    expect(await screen.findByText(messages.createFailed)).toBeInTheDocument();
    expect(refused).toHaveLength(1);
    expect(readDrafts(KEY)).toHaveLength(1);

    const created = respondWith("post", "/api/ideas", 201, anIdea({ id: 8, content: mine }));
    respondWith("get", "/api/ideas/8", 200, anIdea({ id: 8, content: mine }));
    await user.click(button("Save as a new idea"));
    await waitFor(() => expect(path()).toBe("/editor/8"));
    await showsText("Water wicks up. Mine.");
    expect(created.map(({ body }) => body)).toMatchObject([{ title: "Mine", content: mine }]);
    expect(readDrafts(KEY)).toEqual([]);
  });

  it("saves a draft of the published idea once, and that draft only", async () => {
    const draft = { title: "Mine", html: mine, baseRevision: 1 };
    writeDraft(KEY, { ...draft, session: "older", savedAt: 1 });
    writeDraft(KEY, { ...draft, session: "newer", savedAt: 2, title: " " });
    const { user, path } = await openIdea({ ...OTHER, ...PUBLISHED });
    const create = deferResponse("post", "/api/ideas");
    await user.click(await screen.findByRole("button", { name: "Save as a new idea" }));
    await waitFor(() => expect(create.calls).toHaveLength(1));
    await user.click(button("Save as a new idea"));
    respondWith("get", "/api/ideas/8", 200, anIdea({ id: 8, content: mine }));
    create.release(201, anIdea({ id: 8, content: mine }));
    await waitFor(() => expect(path()).toBe("/editor/8"));
    expect(create.calls).toHaveLength(1);
    expect(readDrafts(KEY)).toMatchObject([{ session: "older" }]);
  });

  it("is not set aside by a browser that cannot keep it", async () => {
    const { editor, user } = await openIdea();
    savedElsewhere();
    const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    await type(editor, " Mine.");
    await user.click(button(messages.save));
    expect(await screen.findByText(new RegExp(texts.notKept))).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: texts.takeOther })).not.toBeInTheDocument();
    expect(button(texts.keepMine)).toBeVisible();
    full.mockRestore();
  });
});

it("asks about a draft restored from before the last save, when it is saved", async () => {
  const draft = { session: "s1", title: "Draft", html: "<p>Old draft</p>", savedAt: 1 };
  writeDraft(KEY, { ...draft, baseRevision: 1 });
  const { user } = await openIdea({ revision: 4 });
  const refused = savedElsewhere(anIdea({ revision: 4 }));
  await user.click(await screen.findByRole("button", { name: "Restore" }));
  await user.click(button(messages.save));
  expect(await screen.findByRole("dialog", { name: texts.title })).toBeInTheDocument();
  expect(refused[0]?.body).toMatchObject({ title: "Draft", baseRevision: 1 });
});
