import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Notice } from "@/api/generated";
import { neverRespond, respondWith, signedIn } from "@/testing/api";
import { aListedIdea, anIdea, aShare } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { sentence } from "./sentence";

const aNotice = (over: Partial<Notice> = {}): Notice => ({
  id: 1,
  kind: "agreed",
  at: "2026-11-20T10:00:00.000000Z",
  ideaId: 7,
  ideaTitle: "Self-watering planter",
  shareId: aShare().id,
  shareType: "full-access",
  shareName: null,
  recipientName: "Rosa Lindt",
  count: 1,
  read: false,
  ...over,
});

function dashboard(unread: number) {
  signedIn();
  respondWith("get", "/api/ideas", 200, [aListedIdea()]);
  const counts = respondWith("get", "/api/notices/unread", 200, { unread });
  return { counts, ...renderRoute("/dashboard") };
}

const bell = (name: string) => screen.findByRole("button", { name });

test("the bell shows the number of new notices, opens the list and marks it as read", async () => {
  const { user, path } = dashboard(2);
  const newer = aNotice({ id: 2, kind: "commented", count: 3, at: "2026-11-20T11:00:00.000000Z" });
  respondWith("get", "/api/notices", 200, [newer, aNotice({ read: true })]);
  const reads = respondWith("post", "/api/notices/read", 204);
  const button = await bell("Notices, 2 new");
  respondWith("get", "/api/notices/unread", 200, { unread: 0 });
  await user.click(button);

  const list = within(await screen.findByRole("dialog", { name: "What’s new" }));
  const [first, second] = await list.findAllByRole("listitem");
  expect(first).toHaveTextContent("New: “Rosa Lindt” left 3 comments.");
  expect(first).toHaveTextContent("Self-watering planter");
  expect(second).toHaveTextContent(/^“Rosa Lindt” accepted the agreement\./);
  await waitFor(() => expect(reads.map(({ body }) => body)).toEqual([{ upTo: newer.at }]));
  expect(await bell("Notices")).toBeVisible();
  // New notices stay marked while the list is open.
  expect(first).toHaveTextContent("New:");

  respondWith("get", "/api/ideas/7", 200, anIdea());
  for (const rows of ["shares", "activity", "revisions"]) {
    respondWith("get", `/api/ideas/7/${rows}`, 200, []);
  }
  respondWith("get", "/api/comments", 200, []);
  await user.click(within(first as HTMLElement).getByRole("link"));
  await waitFor(() => expect(path()).toBe("/share/7"));
});

test("the bell opens and closes by keys, and keeps focus", async () => {
  const { user } = dashboard(0);
  respondWith("get", "/api/notices", 200, []);
  const button = await bell("Notices");
  button.focus();
  await user.keyboard("{Enter}");
  expect(await screen.findByText(/^Nothing yet\./)).toBeVisible();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(await bell("Notices")).toHaveFocus();
});

test("reading in another tab clears the bell here", async () => {
  const { counts } = dashboard(1);
  await bell("Notices, 1 new");
  respondWith("get", "/api/notices/unread", 200, { unread: 0 });
  const channel = new BroadcastChannel("ideavault-notices");
  channel.postMessage("read");
  expect(await bell("Notices")).toBeVisible();
  channel.close();
  expect(counts).toHaveLength(1);
});

test("reports when the list cannot be loaded", async () => {
  const { user } = dashboard(1);
  respondWith("get", "/api/notices", 503, { message: "The database is away." });
  await user.click(await bell("Notices, 1 new"));
  expect(await screen.findByRole("alert")).toHaveTextContent("Your notices could not be loaded.");
});

test("notices without a name have texts of their own", () => {
  const sentenceFor = (over: Partial<Notice>) =>
    sentence(aNotice({ recipientName: null, ...over }));
  expect(sentenceFor({ kind: "agreed", count: 5 })).toBe("5 other readers accepted the agreement.");
  expect(sentenceFor({ kind: "refused", count: 2 })).toBe(
    "2 other readers tried to open a link that has ended.",
  );
  expect(sentenceFor({ kind: "wrong-address", count: 2 })).toBe(
    "Somebody entered an email address that your link is not for (2 times).",
  );
  expect(sentenceFor({ kind: "wrong-code" })).toBe("Somebody entered too many wrong codes.");
  expect(sentenceFor({ kind: "used-up" })).toBe("All views of a link have been used.");
});

test("a link with a name is called by it", () => {
  const told = (over: Partial<Notice>) => sentence(aNotice({ shareName: "Spring fair", ...over }));
  const of = "“Spring fair”";
  expect(told({})).toBe(`“Rosa Lindt” accepted the agreement on ${of}.`);
  expect(told({ kind: "first-read" })).toBe(
    `“Rosa Lindt” opened the idea for the first time through ${of}.`,
  );
  expect(told({ kind: "commented", count: 3 })).toBe(`“Rosa Lindt” left 3 comments on ${of}.`);
  expect(told({ kind: "declined" })).toBe(`“Rosa Lindt” declined the agreement on ${of}.`);
  expect(told({ kind: "refused" })).toBe(
    `“Rosa Lindt” tried to open the link ${of}, which has ended.`,
  );
  expect(told({ kind: "wrong-address", recipientName: null })).toBe(
    `Somebody entered an email address that your link ${of} is not for.`,
  );
  expect(told({ kind: "wrong-code", recipientName: null, count: 2 })).toBe(
    `Somebody entered too many wrong codes on ${of} (2 times).`,
  );
  expect(told({ kind: "used-up" })).toBe(`All views of ${of} have been used.`);
  expect(told({ kind: "one-view-left" })).toBe(`${of} has one view left.`);
  expect(told({ kind: "ending-soon" })).toBe(`${of} ends within a day.`);
});

test("emails are chosen on the profile page, and a refusal restores the choice", async () => {
  signedIn();
  const { user } = renderRoute("/profile");
  const section = within(await screen.findByRole("region", { name: "Emails about your links" }));
  await waitFor(() => expect(section.getByRole("radio", { name: /^At once/ })).toBeChecked());
  const saved = respondWith("put", "/api/profile/notifications", 200, { mode: "daily" });
  respondWith("get", "/api/profile/notifications", 200, { mode: "daily" });
  await user.click(section.getByRole("radio", { name: /^Once a day/ }));
  expect(await section.findByText("Saved.")).toBeVisible();
  expect(saved.map(({ body }) => body)).toEqual([{ mode: "daily" }]);
  respondWith("put", "/api/profile/notifications", 503, { message: "The database is away." });
  await user.click(section.getByRole("radio", { name: /^Never/ }));
  expect(await section.findByRole("alert")).toHaveTextContent("That could not be saved.");
  expect(section.getByRole("radio", { name: /^Once a day/ })).toBeChecked();
});

test("the chosen emails stay chosen while the settings are loaded anew", async () => {
  signedIn();
  const { user } = renderRoute("/profile");
  const section = within(await screen.findByRole("region", { name: "Emails about your links" }));
  await waitFor(() => expect(section.getByRole("radio", { name: /^At once/ })).toBeChecked());
  respondWith("put", "/api/profile/notifications", 200, { mode: "daily" });
  const loads = neverRespond("get", "/api/profile/notifications");
  await user.click(section.getByRole("radio", { name: /^Once a day/ }));
  expect(await section.findByText("Saved.")).toBeVisible();
  await waitFor(() => expect(loads).toHaveLength(1));
  expect(section.getByRole("radio", { name: /^Once a day/ })).toBeChecked();
});

test("a link can have its own setting", async () => {
  signedIn();
  respondWith("get", "/api/ideas/7", 200, anIdea());
  for (const rows of ["activity", "revisions"]) respondWith("get", `/api/ideas/7/${rows}`, 200, []);
  respondWith("get", "/api/comments", 200, []);
  respondWith("get", "/api/ideas/7/shares", 200, [aShare()]);
  const { user } = renderRoute("/share/7");
  await user.click(await screen.findByRole("button", { name: /^Settings/ }));
  const choice = await screen.findByRole("combobox", { name: "Emails about this link" });
  expect(choice).toHaveDisplayValue("As set in your profile");
  const saved = respondWith("put", `/api/shares/${aShare().id}/notifications`, 200, {
    mode: "never",
  });
  respondWith("get", "/api/ideas/7/shares", 200, [aShare({ notifications: "never" })]);
  await user.selectOptions(choice, "Never");
  await waitFor(() => expect(saved.map(({ body }) => body)).toEqual([{ mode: "never" }]));
  await waitFor(() => expect(choice).toHaveDisplayValue("Never"));
});

test("the link in an email stops emails only when the button is pressed", async () => {
  const stops = respondWith("post", "/api/unsubscribe/tok", 204);
  const { user } = renderRoute("/unsubscribe/tok");
  const button = await screen.findByRole("button", { name: "Stop these emails" });
  expect(stops).toHaveLength(0);
  await user.click(button);
  expect(await screen.findByRole("heading", { name: "Emails stopped" })).toBeVisible();
  expect(stops).toHaveLength(1);
});

test("an invalid link in an email shows what to do", async () => {
  respondWith("post", "/api/unsubscribe/tok", 404, { message: "Not found" });
  const { user } = renderRoute("/unsubscribe/tok");
  await user.click(await screen.findByRole("button", { name: "Stop these emails" }));
  expect(await screen.findByRole("heading", { name: "This link no longer works" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Stop these emails" })).not.toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Go to your profile" })).toBeVisible();
});
