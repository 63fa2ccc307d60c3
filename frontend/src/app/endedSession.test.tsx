import { act, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { openIdea, type } from "@/features/editor/testPage";
import { openShare, serve } from "@/features/shares/testShare";
import { reload } from "@/routing/reload";
import { respondWith } from "@/testing/api";
import { anIdea, aUser } from "@/testing/fixtures";

vi.mock("@/routing/reload", () => ({ reload: vi.fn() }));

const GRACE = aUser({ id: "someone-else", name: "Grace Hopper" });

beforeEach(() => {
  vi.mocked(reload).mockClear();
});

/** Another tab logs in or out. */
async function becomes(user: ReturnType<typeof aUser> | null) {
  const newValue = user && JSON.stringify(user);
  await act(async () => {
    if (newValue === null) localStorage.removeItem("currentUser");
    else localStorage.setItem("currentUser", newValue);
    window.dispatchEvent(new StorageEvent("storage", { key: "currentUser", newValue }));
  });
}

async function openEditor() {
  const page = await openIdea();
  await screen.findByText("Hi Ada");
  return page;
}

/** The element that hides the screen. */
const layout = (element: HTMLElement) => element.closest(".contents, .hidden");

test.each([
  ["a logout", null],
  ["somebody else's login", GRACE],
])("%s in another tab takes a screen without unsaved text from this one", async (_, user) => {
  serve();
  await openShare();
  await screen.findByText("Hi Ada");
  await becomes(user);
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
  expect(layout(screen.getByText("Share your idea"))).toHaveClass("hidden");
});

test.each([
  ["a logout", null, "You are signed out"],
  ["somebody else's login", GRACE, "Grace Hopper is signed in now"],
])("%s in another tab covers unsaved text until its author is back", async (_, user, heading) => {
  const { editor } = await openEditor();
  await type(editor, " More.");
  await becomes(user);
  expect(await screen.findByRole("heading", { name: heading })).toHaveFocus();
  const text = screen.getByText(/Water wicks up. More./);
  expect(layout(text)).toHaveClass("hidden");
  await becomes(aUser());
  await waitFor(() => expect(layout(text)).toHaveClass("contents"));
  expect(screen.queryByRole("heading", { name: heading })).not.toBeInTheDocument();
  expect(reload).not.toHaveBeenCalled();
});

test("a comment that was not sent is covered as well", async () => {
  serve();
  const { user } = await openShare();
  const field = await screen.findByLabelText("Comment for all readers");
  await user.type(field, "Clever");
  await becomes(null);
  expect(await screen.findByRole("heading", { name: "You are signed out" })).toBeVisible();
  await becomes(aUser());
  await waitFor(() => expect(layout(field)).toHaveClass("contents"));
  expect(field).toHaveValue("Clever");
  expect(reload).not.toHaveBeenCalled();
});

test("text is not saved for somebody else who has signed in", async () => {
  const { editor, user } = await openEditor();
  const saves = respondWith("put", "/api/ideas/7", 200, anIdea({ revision: 2 }));
  await type(editor, " More.");
  // Before the event of the other tab arrives.
  localStorage.setItem("currentUser", JSON.stringify(GRACE));
  await user.click(screen.getByRole("button", { name: "Save Changes" }));
  // Beside the text that was not saved, and perhaps already as the notice of the whole page.
  const [reason] = await screen.findAllByText(/You are no longer signed in/);
  expect(reason).toBeVisible();
  expect(saves).toEqual([]);
});

test("a screen says that the session has ended, until its owner is signed in again", async () => {
  serve();
  const { user } = await openShare();
  await screen.findByText("Hi Ada");
  respondWith("post", "/api/comments", 401, { message: "Please sign in" });
  await user.type(screen.getByLabelText("Comment for all readers"), "Clever");
  await user.click(screen.getByRole("button", { name: "Send" }));
  const notice = await screen.findByText(/You are no longer signed in/);
  expect(notice).toHaveRole("alert");
  // The login on the other tab finds no session, and then signs in.
  await becomes(null);
  expect(notice).toBeVisible();
  await becomes(aUser());
  await waitFor(() => expect(notice).not.toBeInTheDocument());
  expect(screen.getByLabelText("Comment for all readers")).toHaveValue("Clever");
  expect(reload).not.toHaveBeenCalled();
});
