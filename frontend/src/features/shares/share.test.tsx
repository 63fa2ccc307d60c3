import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { deferResponse, respondWith, signedIn } from "@/testing/api";
import { aComment, aShare } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { deferTimers } from "@/testing/timers";
import { common, openSettings, openShare, region, serve } from "./testShare";

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
  expect(await screen.findByText("No links yet")).toBeVisible();
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

test("does not offer the new link any more once it is revoked", async () => {
  const created = aShare({ accessLink: "fresh" });
  serve({ shares: [] });
  respondWith("post", "/api/shares", 201, created);
  const { user } = await openShare();
  await screen.findByText("No links yet");
  respondWith("get", "/api/ideas/7/shares", 200, [created]);
  await user.click(screen.getByRole("button", { name: "Generate Share Link" }));
  const link = await screen.findByRole("textbox", { name: "Your new link" });
  const settings = await openSettings(user);
  await user.click(settings.getByRole("button", { name: /^Revoke/ }));
  expect(link).toBeVisible();
  respondWith("delete", `/api/shares/${created.id}`, 204);
  respondWith("get", "/api/ideas/7/shares", 200, [{ ...created, state: "revoked" }]);
  const dialog = await screen.findByRole("alertdialog");
  await user.click(within(dialog).getByRole("button", { name: "Revoke" }));
  await screen.findByText("No active links");
  expect(link).not.toBeInTheDocument();
});

test("keeps what is entered for the next link while one is created", async () => {
  serve({ shares: [] });
  const { calls, release } = deferResponse("post", "/api/shares");
  const { user } = await openShare();
  await user.type(screen.getByLabelText("Link name (optional)"), "Rosa");
  await user.click(screen.getByRole("button", { name: "Generate Share Link" }));
  await waitFor(() => expect(calls).toHaveLength(1));
  await user.type(screen.getByLabelText("Link name (optional)"), " and Ada");
  release(201, aShare({ accessLink: "fresh" }));
  await screen.findByDisplayValue(/fresh$/);
  expect(screen.getByLabelText("Link name (optional)")).toHaveValue("Rosa and Ada");
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

test("the settings that most links leave are folded, with a line that says what is set", async () => {
  serve({ shares: [] });
  const calls = respondWith("post", "/api/shares", 201, aShare({ accessLink: "fresh" }));
  const { user } = await openShare();
  const more = screen.getByRole("button", { name: "More settings" });
  expect(more).toHaveAttribute("aria-expanded", "false");
  expect(more).toHaveAccessibleDescription("IdeaVault NDA · downloads");
  expect(screen.queryByLabelText("Cover title (optional)")).not.toBeInTheDocument();
  await user.click(more);
  await user.type(screen.getByLabelText("Cover title (optional)"), "Teapot");
  await user.click(screen.getByRole("checkbox", { name: /^Readers may download/ }));
  await user.click(screen.getByRole("checkbox", { name: /^Readers of all links/ }));
  await user.click(more);
  expect(screen.queryByLabelText("Cover title (optional)")).not.toBeInTheDocument();
  expect(more).toHaveAccessibleDescription(
    "IdeaVault NDA · shown as “Teapot” until they agree · no downloads · comments of other readers",
  );
  await user.click(screen.getByRole("button", { name: "Generate Share Link" }));
  await waitFor(() =>
    expect(calls[0]?.body).toMatchObject({
      coverTitle: "Teapot",
      allowDownload: false,
      showsOtherReaders: true,
    }),
  );
});

test("a link starts with the settings of the newest one, which can be changed", async () => {
  const newest = aShare({ coverTitle: "Teapot", allowDownload: false, showsOtherReaders: true });
  serve({ shares: [newest, aShare({ id: "older" })] });
  const calls = respondWith("post", "/api/shares", 201, aShare({ accessLink: "fresh" }));
  const { user } = await openShare();
  const more = screen.getByRole("button", { name: "More settings" });
  await waitFor(() =>
    expect(more).toHaveAccessibleDescription(
      "IdeaVault NDA · shown as “Teapot” until they agree · no downloads · comments of other readers",
    ),
  );
  await user.click(more);
  expect(screen.getByLabelText("Cover title (optional)")).toHaveValue("Teapot");
  await user.clear(screen.getByLabelText("Cover title (optional)"));
  await user.click(screen.getByRole("checkbox", { name: /^Readers may download/ }));
  await user.click(screen.getByRole("button", { name: "Generate Share Link" }));
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(calls[0]?.body).toEqual({
    ideaId: 7,
    shareType: "one-time",
    expiresAt: null,
    maxViews: null,
    recipientEmail: null,
    showsOtherReaders: true,
  });
});

test("the next link starts with the settings of the one that was made, whatever the list says", async () => {
  serve({ shares: [aShare({ id: "older", allowDownload: true })] });
  const calls = respondWith("post", "/api/shares", 201, aShare({ accessLink: "fresh" }));
  const { user } = await openShare();
  await user.click(screen.getByRole("button", { name: "More settings" }));
  await user.click(screen.getByRole("checkbox", { name: /^Readers may download/ }));
  await user.click(screen.getByRole("button", { name: "Generate Share Link" }));
  await screen.findByDisplayValue(/fresh$/);
  const button = screen.getByRole("button", { name: "Generate Share Link" });
  await waitFor(() => expect(button).not.toHaveAttribute("aria-busy"));
  await user.click(button);
  await waitFor(() => expect(calls).toHaveLength(2));
  for (const { body } of calls) expect(body).toMatchObject({ allowDownload: false });
});

test("a list that cannot be loaded leaves the form with the settings of a first link", async () => {
  serve();
  respondWith("get", "/api/ideas/7/shares", 500, { message: "Out of order." });
  await openShare();
  expect(screen.getByRole("button", { name: "More settings" })).toHaveAccessibleDescription(
    "IdeaVault NDA · downloads",
  );
});

test("a limit that is half typed says nothing of what the link will do", async () => {
  serve();
  const { user } = await openShare();
  const button = screen.getByRole("button", { name: "Generate Share Link" });
  await user.type(screen.getByLabelText("Maximum Views"), "0");
  expect(button).not.toHaveAccessibleDescription();
  await user.click(screen.getByRole("radio", { name: /^Time-dependent/ }));
  await user.clear(screen.getByLabelText("Maximum Views"));
  expect(button).toHaveAccessibleDescription(/for seven days\.$/);
  await user.type(screen.getByLabelText("Expiration Date"), "2001-01-01T00:00");
  expect(button).not.toHaveAccessibleDescription();
});

test("a refused setting unfolds its group and gets the focus", async () => {
  serve({ shares: [] });
  const refusal = { message: "Please remove control characters", field: "coverTitle" };
  respondWith("post", "/api/shares", 400, refusal);
  const { user } = await openShare();
  const more = screen.getByRole("button", { name: "More settings" });
  await user.click(more);
  await user.type(screen.getByLabelText("Cover title (optional)"), "Teapot");
  await user.click(more);
  await user.click(screen.getByRole("button", { name: "Generate Share Link" }));
  const title = await screen.findByLabelText("Cover title (optional)");
  await waitFor(() => expect(title).toHaveFocus());
  expect(title).toHaveAccessibleDescription(/Please remove control characters/);
  expect(title).toHaveValue("Teapot");
});

const AGREES = "accepts the IdeaVault NDA";
test.each([
  [
    "One-time view",
    {},
    `The first person who ${AGREES} and opens the idea reads or downloads it, once.`,
  ],
  [
    "One-time view",
    { "Maximum Views": "4" },
    "The first 4 people who accept the IdeaVault NDA and open the idea read or download it, once each.",
  ],
  [
    "Time-dependent (expires after a period)",
    { "Maximum Views": "1" },
    `Anyone with the link can register, ${AGREES}, and reads or downloads it for seven days, 1 time in all.`,
  ],
  [
    "Time-dependent (expires after a period)",
    { "Expiration Date": "2099-01-02T03:04" },
    `Anyone with the link can register, ${AGREES}, and reads or downloads it until Jan 2, 2099, 3:04 AM`,
  ],
  [
    "Full access (unlimited views)",
    {},
    `Anyone with the link can register, ${AGREES}, and reads or downloads it until you revoke the link.`,
  ],
  [
    "Share by Email (Full Access)",
    {},
    `Only the person whose address you enter can register, with a code that we mail there, ${AGREES}, and reads or downloads it until you revoke the link.`,
  ],
  [
    "Share by Email (Full Access)",
    { "Recipient Email": "rosa@example.com" },
    "Only rosa@example.com can register, with a code that we mail there,",
  ],
])("says of %s in one sentence what it will do: %j", async (type, fields, sentence) => {
  serve({ shares: [] });
  const { user } = await openShare();
  await user.click(screen.getByRole("radio", { name: type }));
  for (const [label, text] of Object.entries(fields)) {
    await user.type(screen.getByLabelText(label), text);
  }
  const button = screen.getByRole("button", { name: /Generate Share Link|Send Email Invitation/ });
  expect(button).toHaveAccessibleDescription(expect.stringContaining(sentence));
});

test("an invitation takes a message and the own address, and keeps a refused message", async () => {
  serve({ shares: [] });
  const why = "Please leave out web and email addresses, and put a space after a full stop";
  const calls = respondWith("post", "/api/shares", 400, { message: why, field: "message" });
  const { user } = await openShare();
  await user.click(screen.getByRole("radio", { name: "Share by Email (Full Access)" }));
  await user.type(screen.getByLabelText("Recipient Email"), "rosa@example.com");
  const message = screen.getByLabelText("Message (optional)");
  await user.type(message, "See evil.example");
  await user.click(screen.getByRole("checkbox", { name: /^Let the reader reply to me/ }));
  await user.click(screen.getByRole("button", { name: "Send Email Invitation" }));
  await waitFor(() => expect(message).toHaveAccessibleDescription(new RegExp(why)));
  expect(message).toHaveValue("See evil.example");
  expect(calls[0]?.body).toMatchObject({ message: "See evil.example", replyToMe: true });
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
  // The page that leads there says the same for a moment.
  await waitFor(() => expect(screen.getByText("Idea not found")).toBeVisible());
  await waitFor(() => expect(path()).toBe("/dashboard"));
});

test.each([
  ["what the server says", 500, { message: "This cannot be read: its stored data is damaged." }],
  ["that it failed", 502, undefined],
])(
  "redirects to the dashboard when the idea cannot be loaded, with %s",
  async (_, status, body) => {
    signedIn();
    respondWith("get", "/api/ideas/7", status, body);
    respondWith("get", "/api/ideas", 200, []);
    const { path, store } = renderRoute("/share/7");
    await waitFor(() => expect(path()).toBe("/dashboard"));
    expect(store.getState().toast.current?.description).toBe(
      body?.message ?? "The idea could not be loaded. Please try again.",
    );
  },
);

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
  // The page that leads there says the same for a moment.
  await waitFor(() => expect(screen.getByText("Idea not found")).toBeVisible());
  await waitFor(() => expect(path()).toBe("/dashboard"));
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
