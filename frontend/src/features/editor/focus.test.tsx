import { act, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { respondWith } from "@/testing/api";
import { anIdea, aUser } from "@/testing/fixtures";
import { messages } from "./messages";
import { draftKey, writeDraft } from "./session/drafts";
import {
  button,
  confirmDiscard,
  openIdea,
  PUBLISHED,
  showsText,
  titleInput,
  type,
} from "./testPage";

const KEY = draftKey(aUser().id, 7);
const draft = { title: "Draft", html: "<p>Lost and found</p>", baseRevision: 1 };

test("publishing ends at the heading of the published idea", async () => {
  const { user, idea } = await openIdea();
  respondWith("put", "/api/ideas/7/publish", 200, { ...idea, ...PUBLISHED });
  await user.click(button(messages.publish));
  await user.click(await screen.findByRole("button", { name: "Publish idea" }));
  const heading = await screen.findByRole("heading", { level: 1, name: "Published idea" });
  await waitFor(() => expect(heading).toHaveFocus());
});

test("restoring ends at the button that saves", async () => {
  writeDraft(KEY, { ...draft, session: "s1", savedAt: 1 });
  const { user } = await openIdea();
  await user.click(await screen.findByRole("button", { name: "Restore" }));
  await waitFor(() => expect(button(messages.save)).toHaveFocus());
});

test("discarding ends at the button that saves", async () => {
  writeDraft(KEY, { ...draft, session: "s1", savedAt: 1 });
  const { user } = await openIdea();
  await user.click(await screen.findByRole("button", { name: "Discard" }));
  await confirmDiscard(user);
  await waitFor(() => expect(button(messages.save)).toHaveFocus());
});

test("the next draft offered keeps the focus where it is", async () => {
  writeDraft(KEY, { ...draft, session: "s1", savedAt: 1 });
  writeDraft(KEY, { ...draft, session: "s2", savedAt: Date.now() });
  const { user } = await openIdea();
  const discard = await screen.findByRole("button", { name: "Discard" });
  await screen.findByText(/just now/);
  await user.click(discard);
  await confirmDiscard(user);
  await waitFor(() => expect(screen.queryByText(/just now/)).not.toBeInTheDocument());
  await waitFor(() => expect(discard).toHaveFocus());
});

test("a successful retry ends at the button that saves", async () => {
  const { user, editor } = await openIdea();
  respondWith("put", "/api/ideas/7", 503, { message: "Down." });
  await type(editor, "!");
  await user.click(button(messages.save));
  const again = await screen.findByRole("button", { name: "Try again" });
  respondWith("put", "/api/ideas/7", 200, anIdea({ revision: 2 }));
  await user.click(again);
  await waitFor(() => expect(button(messages.save)).toHaveFocus());
});

test("each save without a title ends at the title, and says why", async () => {
  const { user } = await openIdea();
  await user.clear(titleInput());
  await user.keyboard("{Control>}s{/Control}");
  const alert = await screen.findByText(messages.titleRequired);
  act(() => button("Bold").focus());
  await user.keyboard("{Control>}s{/Control}");
  await waitFor(() => expect(titleInput()).toHaveFocus());
  // A new element, which screen readers announce.
  expect(alert).not.toBeInTheDocument();
  expect(screen.getByText(messages.titleRequired)).toHaveAttribute("role", "alert");
});

test("focus that has moved meanwhile stays there", async () => {
  const { user, editor } = await openIdea();
  respondWith("put", "/api/ideas/7", 503, { message: "Down." });
  await type(editor, "!");
  await user.click(button(messages.save));
  const again = await screen.findByRole("button", { name: "Try again" });
  respondWith("put", "/api/ideas/7", 200, anIdea({ revision: 2 }));
  const bold = button("Bold");
  act(() => bold.focus());
  await user.keyboard("{Control>}s{/Control}");
  await waitFor(() => expect(again).not.toBeInTheDocument());
  await showsText("Water wicks up.!");
  expect(bold).toHaveFocus();
});
