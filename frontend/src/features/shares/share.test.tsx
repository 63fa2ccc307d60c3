import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Activity } from "@/api/generated";
import { deferResponse, respondWith, signedIn } from "@/testing/api";
import { aComment, anIdea, aShare } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { deferTimers } from "@/testing/timers";
import { messages } from "./messages";

const recipient = {
  id: "11111111-1111-4111-8111-111111111111",
  name: "Rosa Lindt",
  email: "rosa@example.com",
  phone: null,
  erased: false,
  identity: "emailConfirmed" as const,
  emailConfirmedAt: "2026-11-20T10:01:30.000000Z",
};
const common = { shareId: aShare().id, shareType: "one-time", recipient } as const;
const sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

function serve({ shares = [aShare()], activity = [] as Activity[] } = {}) {
  signedIn();
  respondWith("get", "/api/ideas/7", 200, anIdea());
  respondWith("get", "/api/ideas/7/activity", 200, activity);
  respondWith("get", "/api/comments", 200, [aComment()]);
  return respondWith("get", "/api/ideas/7/shares", 200, shares);
}

async function openShare() {
  const app = renderRoute("/share/7");
  await screen.findByRole("heading", { name: "Share your idea" });
  return app;
}

const region = (name: string) => within(screen.getByRole("region", { name }));

test("shows title, status and links with views and state", async () => {
  serve({
    shares: [
      aShare({ id: "a", shareType: "one-time", maxViews: 3, viewCount: 3, state: "exhausted" }),
      aShare({ id: "b", shareType: "time-dependent", state: "expired", viewCount: 1 }),
    ],
  });
  await openShare();
  expect(await screen.findByText("Self-watering planter")).toBeVisible();
  expect(screen.getByText("Draft")).toBeVisible();
  expect(await screen.findByText("Views: 3 / 3")).toBeVisible();
  expect(screen.getByText("Used up")).toBeVisible();
  expect(screen.getByText("Views: 1")).toBeVisible();
  expect(screen.getByText("Expired")).toBeVisible();
});

test("folds the options of a used-up link, and offers none where they have no effect", async () => {
  serve({
    shares: [
      aShare({ id: "a", shareType: "one-time", maxViews: 1, viewCount: 1, state: "exhausted" }),
      aShare({ id: "b", state: "revoked" }),
    ],
  });
  const { user } = await openShare();
  const options = await screen.findByText("Options for views that are still open");
  const downloads = screen.getAllByLabelText(/^Readers may download the document \(/);
  expect(downloads).toHaveLength(1);
  expect(downloads[0]).not.toBeVisible();
  await user.click(options);
  expect(downloads[0]).toBeVisible();
});

test.each([
  [
    "One-time view",
    { "Maximum Views": "4" },
    { shareType: "one-time", expiresAt: null, maxViews: 4, recipientEmail: null },
  ],
  [
    "Time-dependent (expires after a period)",
    { "Expiration Date": "2099-01-02T03:04", "Maximum Views": "" },
    {
      shareType: "time-dependent",
      expiresAt: new Date("2099-01-02T03:04").toISOString(),
      maxViews: null,
      recipientEmail: null,
    },
  ],
  [
    "Full access (unlimited views)",
    {},
    { shareType: "full-access", expiresAt: null, maxViews: null, recipientEmail: null },
  ],
  [
    "Share by Email (Full Access)",
    { "Recipient Email": "rosa@example.com" },
    { shareType: "email", expiresAt: null, maxViews: null, recipientEmail: "rosa@example.com" },
  ],
])("sends for %s what that type uses and null for the rest", async (type, fields, body) => {
  serve({ shares: [] });
  const calls = respondWith("post", "/api/shares", 201, aShare({ accessLink: "fresh" }));
  const { user } = await openShare();
  // Typed for the first type, then abandoned: it must not be sent for another.
  await user.type(screen.getByLabelText("Maximum Views"), "9");
  await user.click(screen.getByRole("radio", { name: type }));
  for (const [label, text] of Object.entries(fields)) {
    await user.clear(screen.getByLabelText(label));
    if (text) await user.type(screen.getByLabelText(label), text);
  }
  await user.click(
    screen.getByRole("button", { name: /Generate Share Link|Send Email Invitation/ }),
  );
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(calls[0]?.body).toEqual({ ideaId: 7, ...body });
});

test("names the button after what it does", async () => {
  serve();
  const { user } = await openShare();
  expect(screen.getByRole("button", { name: "Generate Share Link" })).toBeVisible();
  await user.click(screen.getByRole("radio", { name: "Share by Email (Full Access)" }));
  expect(await screen.findByRole("button", { name: "Send Email Invitation" })).toBeVisible();
  expect(screen.getByLabelText("Recipient Email")).toHaveAccessibleDescription(
    "We email the link to this address. It opens only with a code that we send there too.",
  );
});

test.each([
  [
    "Time-dependent (expires after a period)",
    "Expiration Date",
    "2001-01-01T00:00",
    "Choose a time in the future",
  ],
  ["One-time view", "Maximum Views", "0", "Enter a whole number of 1 or more"],
  ["Share by Email (Full Access)", "Recipient Email", "rosa", "Please enter a valid email address"],
])("refuses for %s a wrong %s", async (type, label, text, message) => {
  serve();
  const { user } = await openShare();
  await user.click(screen.getByRole("radio", { name: type }));
  await user.type(screen.getByLabelText(label), text);
  await user.click(
    screen.getByRole("button", { name: /Generate Share Link|Send Email Invitation/ }),
  );
  expect(await screen.findByText(message)).toBeVisible();
});

test.each([
  ["Time-dependent (expires after a period)", "Expiration Date", "Enter both a date and a time"],
  ["One-time view", "Maximum Views", "Enter a whole number of 1 or more"],
])("%s does not treat a half-filled %s as empty", async (type, label, message) => {
  serve({ shares: [] });
  const calls = respondWith("post", "/api/shares", 201, aShare());
  const { user } = await openShare();
  await user.click(await screen.findByRole("radio", { name: type }));
  const field = await screen.findByLabelText(label);
  // Validity of "5-", or of a date without its time, in a browser; jsdom has no such fields.
  Object.defineProperty(field, "validity", { value: { badInput: true } });
  await user.click(screen.getByRole("button", { name: "Generate Share Link" }));
  expect(await screen.findByText(message)).toBeVisible();
  await waitFor(() => expect(field).toHaveFocus());
  expect(calls).toHaveLength(0);
});

test("shows the new link in full, with a toast, and refreshes the list", async () => {
  const lists = serve({ shares: [] });
  respondWith("post", "/api/shares", 201, aShare({ accessLink: "fresh" }));
  const { user } = await openShare();
  expect(await screen.findByText("No share links yet")).toBeVisible();
  const timers = deferTimers(2000);
  await user.click(screen.getByRole("button", { name: "Generate Share Link" }));
  expect(await screen.findByText("Share link created successfully!")).toBeVisible();
  const link = await screen.findByRole("textbox", { name: "Your new link" });
  expect(link).toHaveValue(`${location.origin}/view/fresh`);
  expect(link).toHaveAttribute("readonly");
  await waitFor(() => expect(lists).toHaveLength(2));
  await timers.release();
  expect(await screen.findByText("Share Link Ready")).toBeVisible();
});

test("reports that creating failed and keeps what was typed", async () => {
  serve();
  respondWith("post", "/api/shares", 400, { message: "Too many views.", field: "maxViews" });
  const { user } = await openShare();
  await user.type(screen.getByLabelText("Maximum Views"), "5");
  await user.click(screen.getByRole("button", { name: "Generate Share Link" }));
  const views = screen.getByLabelText("Maximum Views");
  await waitFor(() => expect(views).toHaveAccessibleDescription(/Too many views\./));
  expect(views).toHaveValue(5);
  expect(screen.queryByText(/Failed to create share link/)).not.toBeInTheDocument();
});

test("copies a link of the list", async () => {
  serve({ shares: [aShare({ accessLink: "tok3n" })] });
  const { user } = await openShare();
  await user.click(await screen.findByRole("button", { name: /^Copy Link/ }));
  expect(await screen.findByText("Share link copied to clipboard!")).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe(`${location.origin}/view/tok3n`);
});

test("a link with a damaged address is listed without its copy button", async () => {
  serve({ shares: [aShare({ accessLink: null })] });
  await openShare();
  expect(await screen.findByRole("button", { name: /^Revoke/ })).toBeVisible();
  expect(screen.queryByRole("button", { name: /^Copy Link/ })).not.toBeInTheDocument();
});

test("revokes a link after confirmation", async () => {
  serve();
  const calls = respondWith("delete", `/api/shares/${aShare().id}`, 204);
  const { user } = await openShare();
  await user.click(await screen.findByRole("button", { name: /^Revoke/ }));
  const dialog = await screen.findByRole("alertdialog", { name: "Revoke this link?" });
  expect(calls).toHaveLength(0);
  respondWith("get", "/api/ideas/7/shares", 200, []);
  await user.click(within(dialog).getByRole("button", { name: "Revoke" }));
  expect(await screen.findByText("Share link revoked.")).toBeVisible();
  expect(await screen.findByText("No share links yet")).toBeVisible();
  expect(calls).toHaveLength(1);
});

test("lists who did what, as the server orders it", async () => {
  serve({
    activity: [
      { type: "closed", id: "4", at: "2026-11-20T10:04:00.000000Z", ...common },
      {
        type: "viewed",
        id: "3",
        at: "2026-11-20T10:03:00.000000Z",
        revisionSha256: sha256,
        endsAt: "2026-11-20T10:33:00.000000Z",
        ...common,
      },
      {
        type: "agreed",
        id: "2",
        at: "2026-11-20T10:02:00.000000Z",
        ndaVersion: "1",
        ndaSha256: sha256,
        revisionSha256: sha256,
        identity: "selfDeclared",
        emailConfirmedAt: null,
        ip: "203.0.113.9",
        userAgent: null,
        ...common,
      },
      { type: "registered", id: "1", at: "2026-11-20T10:01:00.000000Z", ...common },
    ],
  });
  await openShare();
  await region("Activity").findByText("closed the document", { exact: false });
  const entries = region("Activity").getAllByRole("listitem");
  expect(entries.map((entry) => /Rosa Lindt (\w+ \w+)/.exec(entry.textContent ?? "")?.[1])).toEqual(
    ["closed the", "viewed the", "agreed to", "gave their"],
  );
  expect(entries[2]).toHaveTextContent("9f86d081884c");
  expect(entries[2]).toHaveTextContent("203.0.113.9");
  // Folded, since they are rarely looked at.
  for (const hash of region("Activity").getAllByText("9f86d081884c")) {
    expect(hash).not.toBeVisible();
  }
  // The confirmation at the time of the entry, and the current one.
  expect(entries[2]).not.toHaveTextContent("onfirmed");
  expect(screen.getByText(/entered these names and email addresses themselves/)).toBeVisible();
  expect(entries[3]).toHaveTextContent(/Email confirmed .*2026/);
});

const registered = {
  type: "registered" as const,
  id: "1",
  at: "2026-11-20T10:01:00.000000Z",
  ...common,
};

test("erases a person after saying what goes and what cannot", async () => {
  serve({ activity: [registered] });
  const { user } = await openShare();
  const erased = respondWith("delete", "/api/recipients/:id/person", 204);
  const opener = await region("Activity").findByRole("button", { name: /Erase this person/ });
  await user.click(opener);
  const dialog = within(await screen.findByRole("dialog", { name: "Erase Rosa Lindt?" }));
  expect(dialog.getByText(/who opened your ideas as rosa@example.com/)).toBeVisible();
  expect(dialog.getByText(/Bundles of evidence and exports that were downloaded/)).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  expect(erased).toHaveLength(0);

  await user.click(opener);
  const again = within(await screen.findByRole("dialog"));
  await user.click(again.getByRole("checkbox", { name: /Keep accepted agreements/ }));
  const anonymous = { ...recipient, name: "An erased person", erased: true };
  respondWith("get", "/api/ideas/7/activity", 200, [{ ...registered, recipient: anonymous }]);
  await user.click(again.getByRole("button", { name: "Erase for good" }));
  expect(await screen.findByText("The person is erased.")).toBeVisible();
  expect(erased[0]?.url.pathname).toBe(`/api/recipients/${recipient.id}/person`);
  expect(erased[0]?.url.searchParams.get("keepAgreements")).toBe("true");
  await region("Activity").findByText("An erased person");
  expect(region("Activity").getByText(/Details erased/)).toBeVisible();
  expect(region("Activity").queryByRole("button", { name: /Erase/ })).not.toBeInTheDocument();
  expect(region("Activity").getByRole("listitem")).toHaveFocus();
});

test("keeps the question open when a person could not be erased", async () => {
  serve({ activity: [registered] });
  const { user } = await openShare();
  respondWith("delete", "/api/recipients/:id/person", 503, { message: "The database is away." });
  await user.click(await region("Activity").findByRole("button", { name: /Erase this person/ }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(dialog.getByRole("button", { name: "Erase for good" }));
  expect(await dialog.findByRole("alert")).toHaveTextContent("The database is away.");
});

test("shows what is left of an erased person who agreed", async () => {
  const anonymous = { ...recipient, name: "An erased person", erased: true };
  serve({
    activity: [
      {
        type: "agreed",
        id: "2",
        at: "2026-11-20T10:02:00.000000Z",
        ndaVersion: "1",
        ndaSha256: null,
        revisionSha256: sha256,
        identity: "selfDeclared",
        emailConfirmedAt: null,
        ip: null,
        userAgent: null,
        ...common,
        recipient: anonymous,
      },
    ],
  });
  await openShare();
  const [entry] = await region("Activity").findAllByRole("listitem");
  expect(entry).toHaveTextContent("An erased person agreed to the NDA");
  expect(entry).not.toHaveTextContent("rosa@example.com");
  expect(entry).not.toHaveTextContent("from");
  expect(screen.queryByRole("link", { name: /Download the agreement/ })).not.toBeInTheDocument();
});

test("tells the end of a view only where it ends", async () => {
  const view = {
    type: "viewed" as const,
    at: "2026-11-20T10:03:00.000000Z",
    revisionSha256: sha256,
    ...common,
  };
  serve({
    activity: [
      { ...view, id: "2", endsAt: "2026-11-20T10:33:00.000000Z" },
      { ...view, id: "1", endsAt: null },
    ],
  });
  await openShare();
  const entries = await region("Activity").findAllByRole("listitem");
  expect(entries[0]).toHaveTextContent("Open until");
  expect(entries[1]).not.toHaveTextContent("Open until");
});

test("shows what recipients commented", async () => {
  serve();
  await openShare();
  expect(await region("Comments").findByText(aComment().content)).toBeVisible();
});

test("redirects to the dashboard when the idea does not exist", async () => {
  signedIn();
  respondWith("get", "/api/ideas/7", 404, { message: "Not found." });
  respondWith("get", "/api/ideas", 200, []);
  const { path } = renderRoute("/share/7");
  expect(await screen.findByText("Idea not found")).toBeVisible();
  await waitFor(() => expect(path()).toBe("/dashboard"));
});

test("says that an idea is damaged, and whom to ask", async () => {
  signedIn();
  const message = "This cannot be read: its stored data is damaged.";
  respondWith("get", "/api/ideas/7", 500, { message });
  const { path } = renderRoute("/share/7");
  expect(await screen.findByRole("alert")).toHaveTextContent(message);
  expect(path()).toBe("/share/7");
});

test("loads the idea each time it is opened: it may have been deleted", async () => {
  serve();
  respondWith("get", "/api/ideas", 200, []);
  const { router, path } = await openShare();
  await router.navigate("/dashboard");
  await screen.findByRole("heading", { name: "Idea Portfolio" });
  const { calls, release } = deferResponse("get", "/api/ideas/7");
  await router.navigate("/share/7");
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(await screen.findByText("Loading idea details...")).toBeVisible();
  expect(screen.queryByText("Self-watering planter")).not.toBeInTheDocument();
  release(404, { message: "Not found." });
  expect(await screen.findByText("Idea not found")).toBeVisible();
  await waitFor(() => expect(path()).toBe("/dashboard"));
});

test("lists active links first, and ended ones with reason and time", async () => {
  serve({
    shares: [
      aShare({ id: "a", name: "Mill", state: "revoked", endedAt: "2026-11-20T12:00:00.000000Z" }),
      aShare({ id: "b", name: "Patent office" }),
    ],
  });
  await openShare();
  const ended = within(await screen.findByRole("region", { name: "Ended links" }));
  expect(ended.getByText(/^You revoked it Nov 20, 2026/)).toBeVisible();
  expect(ended.queryByRole("button", { name: /^(Copy|Revoke)/ })).not.toBeInTheDocument();
  expect(ended.queryByText("Patent office")).not.toBeInTheDocument();
  const names = region("Active Share Links").getAllByText(/^(Mill|Patent office)$/);
  expect(names.map(({ textContent }) => textContent)).toEqual(["Patent office", "Mill"]);
});

test("renames a link in place", async () => {
  serve({ shares: [aShare({ name: "Mill" })] });
  const calls = respondWith("put", `/api/shares/${aShare().id}`, 204);
  const { user } = await openShare();
  await user.click(await screen.findByRole("button", { name: /^Rename/ }));
  const field = await screen.findByLabelText("Link name");
  expect(field).toHaveFocus();
  await user.clear(field);
  await user.type(field, " Patent office ");
  respondWith("get", "/api/ideas/7/shares", 200, [aShare({ name: "Patent office" })]);
  await user.click(screen.getByRole("button", { name: "Save name" }));
  expect(await screen.findByText("Patent office")).toBeVisible();
  expect(calls[0]?.body).toEqual({ name: "Patent office" });
  expect(screen.getByRole("button", { name: /^Rename/ })).toHaveFocus();
});

test("leaves focus where it is while a link is renamed, and gives it back afterwards", async () => {
  const share = aShare({ name: "Mill" });
  serve({ shares: [share] });
  respondWith("put", `/api/shares/${share.id}`, 204);
  const { user } = await openShare();
  await user.click(await screen.findByRole("button", { name: /^Rename/ }));
  const reload = respondWith("get", "/api/ideas/7/shares", 200, [{ ...share, viewCount: 4 }]);
  const option = screen.getByRole("checkbox", { name: /^Readers may download .*\(/ });
  await user.click(option);
  await screen.findByText("Views: 4");
  expect(reload).toHaveLength(1);
  expect(option).toHaveFocus();
  await user.type(screen.getByLabelText("Link name"), "{Escape}");
  expect(screen.getByRole("button", { name: /^Rename/ })).toHaveFocus();
});

test("takes downloads back on a live link, and on no ended one", async () => {
  const ended = aShare({ id: "b", state: "revoked", endedAt: "2026-11-20T12:00:00.000000Z" });
  const live = aShare({ name: "Mill" });
  serve({ shares: [live, ended] });
  const calls = respondWith("put", `/api/shares/${live.id}`, 204);
  const { user } = await openShare();
  const option = await screen.findByRole("checkbox", { name: /^Readers may download .*Mill/ });
  expect(option).toBeChecked();
  const list = region("Ended links");
  expect(list.queryByRole("checkbox", { name: /download/ })).not.toBeInTheDocument();
  respondWith("get", "/api/ideas/7/shares", 200, [{ ...live, allowDownload: false }, ended]);
  await user.click(option);
  await waitFor(() => expect(option).not.toBeChecked());
  // Without the name, which may have been changed in another tab.
  expect(calls[0]?.body).toEqual({ allowDownload: false });
});

test("shows a changed option and mode at once, until the list has been loaded anew", async () => {
  serve();
  const change = deferResponse("put", `/api/shares/${aShare().id}`);
  const modes = deferResponse("put", `/api/shares/${aShare().id}/notifications`);
  const { user } = await openShare();
  const option = await screen.findByRole("checkbox", { name: /^Readers may download .*\(/ });
  const mode = screen.getByRole("combobox", { name: /^Emails about/ });
  await user.click(option);
  await user.selectOptions(mode, "never");
  await waitFor(() => expect(mode).toHaveValue("never"));
  expect(option).not.toBeChecked();
  const reload = deferResponse("get", "/api/ideas/7/shares");
  change.release(200, {});
  modes.release(200, { mode: "never" });
  await waitFor(() => expect(reload.calls).toHaveLength(1));
  expect(option).not.toBeChecked();
  expect(mode).toHaveValue("never");
  // Another tab was faster.
  reload.release(200, [aShare({ allowDownload: true, notifications: "daily" })]);
  await waitFor(() => expect(option).toBeChecked());
  expect(mode).toHaveValue("daily");
});

test("shows the option that holds when a change is refused", async () => {
  serve();
  respondWith("put", `/api/shares/${aShare().id}`, 503, { message: "Down." });
  const { user } = await openShare();
  const option = await screen.findByRole("checkbox", { name: /^Readers of all links .*\(/ });
  await user.click(option);
  await waitFor(() => expect(option).not.toBeChecked());
  expect(await screen.findByText(messages.changeFailed)).toBeVisible();
});

test("sends the name of a new link, and shows the link of each activity", async () => {
  serve({
    shares: [aShare({ name: "Mill" })],
    activity: [
      {
        type: "registered",
        id: "1",
        at: "2026-11-20T10:01:00.000000Z",
        shareName: "Mill",
        ...common,
      },
    ],
  });
  const calls = respondWith("post", "/api/shares", 201, aShare());
  const { user } = await openShare();
  expect(await region("Activity").findByText("rosa@example.com · Mill")).toBeVisible();
  await user.type(screen.getByLabelText("Link name (optional)"), " Rosa ");
  await user.click(screen.getByRole("button", { name: "Generate Share Link" }));
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(calls[0]?.body).toMatchObject({ name: "Rosa" });
});

test("explains an empty maximum of views for each type", async () => {
  serve();
  const { user } = await openShare();
  expect(screen.getByPlaceholderText("One view if left empty")).toBeVisible();
  await user.click(screen.getByRole("radio", { name: "Time-dependent (expires after a period)" }));
  expect(await screen.findByPlaceholderText("Leave empty for unlimited views")).toBeVisible();
});

test("counts registrations without an agreement instead of listing them", async () => {
  serve({
    shares: [
      aShare({ id: "a", name: "Mill", foldedRegistrations: 1204 }),
      aShare({ id: "b", name: "Patent office", foldedRegistrations: 1 }),
      aShare({ id: "c", name: "Quiet" }),
    ],
    activity: [{ type: "declined", id: "1", at: "2026-11-20T10:01:00.000000Z", ...common }],
  });
  await openShare();
  expect(await region("Activity").findByText(/declined the agreement/)).toBeVisible();
  expect(
    region("Activity").getByText(
      "1,204 more people gave their details on Mill and went no further.",
    ),
  ).toBeVisible();
  expect(
    region("Activity").getByText(
      "1 more person gave their details on Patent office and went no further.",
    ),
  ).toBeVisible();
  expect(region("Activity").queryByText(/on Quiet/)).toBeNull();
});
