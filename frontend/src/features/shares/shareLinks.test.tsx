import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { deferResponse, respondWith } from "@/testing/api";
import { aShare } from "@/testing/fixtures";
import { server } from "@/testing/server";
import { messages } from "./messages";
import { common, openSettings, openShare, recipient, region, serve, sha256 } from "./testShare";

test.each([
  ["offers nothing but its name once all views of a used-up link are closed", 1, false],
  ["can change and revoke a used-up link while one of its views is open", 2, true],
])("%s", async (_, viewCount, isOpen) => {
  const share = aShare({ shareType: "one-time", maxViews: viewCount, viewCount });
  const seen = { revision: 1, revisionSha256: sha256, endsAt: "2026-11-20T10:33:00.000000Z" };
  const other = { ...recipient, id: "22222222-2222-4222-8222-222222222222" };
  const at = "2026-11-20T10:03:00.000000Z";
  const views = [
    { type: "viewed" as const, id: "1", at, ...common, ...seen },
    { type: "viewed" as const, id: "2", at, ...common, ...seen, recipient: other },
  ];
  serve({
    shares: [{ ...share, state: "exhausted" }],
    activity: [{ type: "closed", id: "3", at, ...common }, ...views.slice(0, viewCount)],
  });
  const { user } = await openShare();
  await region("Activity").findByText("closed the document", { exact: false });
  const settings = await openSettings(user);
  expect(settings.getByLabelText("Link name")).toBeVisible();
  expect(settings.queryByText(messages.openViews) !== null).toBe(isOpen);
  expect(settings.queryByLabelText(/^Readers may download/) !== null).toBe(isOpen);
  expect(settings.queryByRole("button", { name: messages.revoke }) !== null).toBe(isOpen);
});

test("shows each link in a row, and its settings only behind their button", async () => {
  const lastViewAt = "2026-11-21T09:15:00.000000Z";
  serve({
    shares: [
      aShare({ id: "a", name: "Mill", viewCount: 3, lastViewAt }),
      aShare({ id: "b", shareType: "email", recipientEmail: "rosa@example.com" }),
    ],
  });
  const { user } = await openShare();
  const [mill, mail] = await region("Active Share Links").findAllByRole("listitem");
  expect(mill).toHaveTextContent(/^MillActiveFull accessViews: 3Last opened Nov 21, 2026/);
  expect(mail).toHaveTextContent(/^Share by EmailActiveFor rosa@example.comViews: 0Never opened/);
  expect(screen.queryByRole("button", { name: "Revoke this link" })).not.toBeInTheDocument();
  const [button] = screen.getAllByRole("button", { name: /^Settings/ });
  if (button) await user.click(button);
  expect(button).toHaveAttribute("aria-expanded", "true");
  const settings = within(screen.getByRole("region", { name: /^Settings, Mill \(Full access\)/ }));
  expect(await settings.findByText(/^Created Nov 20, 2026/)).toBeVisible();
  expect(settings.getByRole("button", { name: "Revoke this link" })).toBeVisible();
  if (button) await user.click(button);
  expect(screen.queryByRole("region", { name: /^Settings/ })).not.toBeInTheDocument();
});

test("finds a link among fifty by name, address and state", async () => {
  const shares = Array.from({ length: 50 }, (_, index) =>
    aShare({ id: String(index), name: `Investor ${index}` }),
  );
  shares[31] = aShare({ id: "31", shareType: "email", recipientEmail: "rosa@example.com" });
  shares[44] = aShare({ id: "44", name: "Café Investor", state: "revoked" });
  serve({ shares });
  const { user } = await openShare();
  const list = region("Active Share Links");
  const search = await list.findByRole("searchbox", { name: "Search by name or address" });
  await user.type(search, "cafe");
  expect(list.getAllByRole("listitem")).toHaveLength(1);
  expect(list.getByText("Café Investor")).toBeVisible();
  expect(list.getByRole("status")).toHaveTextContent("1 of 50 links");
  expect(list.queryByText("No active links")).not.toBeInTheDocument();
  await user.clear(search);
  await user.type(search, "ROSA");
  expect(list.getByText("For rosa@example.com")).toBeVisible();
  await user.selectOptions(list.getByRole("combobox", { name: "Show" }), "Expired");
  expect(list.getByText("No link matches")).toBeVisible();
  await user.clear(search);
  await user.selectOptions(list.getByRole("combobox", { name: "Show" }), "Revoked");
  expect(list.getAllByRole("listitem")).toHaveLength(1);
  expect(list.getByText("Café Investor")).toBeVisible();
});

test("offers no search for a few links", async () => {
  serve({ shares: [aShare({ id: "a" }), aShare({ id: "b" })] });
  await openShare();
  await region("Active Share Links").findAllByRole("listitem");
  expect(screen.queryByRole("searchbox")).not.toBeInTheDocument();
});

test("has the list before the form", async () => {
  serve();
  await openShare();
  const headings = screen.getAllByRole("heading", { level: 2 }).map((node) => node.textContent);
  expect(headings.indexOf("Active Share Links")).toBeLessThan(
    headings.indexOf("Create New Share Link"),
  );
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
  expect(await screen.findByRole("button", { name: /^Settings/ })).toBeVisible();
  expect(screen.queryByRole("button", { name: /^Copy Link/ })).not.toBeInTheDocument();
});

test("revokes a link after confirmation", async () => {
  serve();
  const calls = respondWith("delete", `/api/shares/${aShare().id}`, 204);
  const { user } = await openShare();
  const settings = await openSettings(user);
  await user.click(settings.getByRole("button", { name: messages.revoke }));
  const dialog = await screen.findByRole("alertdialog", { name: "Revoke this link?" });
  expect(calls).toHaveLength(0);
  respondWith("get", "/api/ideas/7/shares", 200, []);
  await user.click(within(dialog).getByRole("button", { name: "Revoke" }));
  expect(await screen.findByText("Link revoked.")).toBeVisible();
  expect(await screen.findByText("No links yet")).toBeVisible();
  expect(calls).toHaveLength(1);
});

test("loads the activity anew once a link is revoked, which ends its views", async () => {
  serve();
  respondWith("delete", `/api/shares/${aShare().id}`, 204);
  const { user } = await openShare();
  const settings = await openSettings(user);
  await user.click(settings.getByRole("button", { name: messages.revoke }));
  const dialog = await screen.findByRole("alertdialog");
  const loaded = respondWith("get", "/api/ideas/7/activity", 200, []);
  await user.click(within(dialog).getByRole("button", { name: "Revoke" }));
  await waitFor(() => expect(loaded).toHaveLength(1));
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

test("renames a link", async () => {
  serve({ shares: [aShare({ name: "Mill" })] });
  const calls = respondWith("put", `/api/shares/${aShare().id}`, 204);
  const { user } = await openShare();
  const settings = await openSettings(user);
  const field = settings.getByLabelText("Link name");
  await user.clear(field);
  await user.type(field, " Patent office ");
  respondWith("get", "/api/ideas/7/shares", 200, [aShare({ name: "Patent office" })]);
  await user.click(settings.getByRole("button", { name: "Save name" }));
  expect(await screen.findByText("Patent office")).toBeVisible();
  expect(await screen.findByText("Name saved.")).toBeVisible();
  expect(calls[0]?.body).toEqual({ name: "Patent office" });
  expect(field).toHaveValue("Patent office");
});

test("takes no other name while one is being saved, and says that it failed", async () => {
  serve({ shares: [aShare({ name: "Mill" })] });
  const { calls, release } = deferResponse("put", `/api/shares/${aShare().id}`);
  const { user } = await openShare();
  const settings = await openSettings(user);
  const field = settings.getByLabelText("Link name");
  await user.type(field, "s{Enter}");
  await waitFor(() => expect(calls).toHaveLength(1));
  await user.type(field, "x{Enter}");
  expect(field).toHaveValue("Mills");
  release(503, { message: "The database is away." });
  expect(await screen.findByRole("alert")).toHaveTextContent("The database is away.");
  expect(field).toHaveValue("Mills");
  expect(calls).toHaveLength(1);
});

test("keeps a name that is being typed when the list is loaded anew", async () => {
  const share = aShare({ name: "Mill" });
  serve({ shares: [share] });
  respondWith("put", `/api/shares/${share.id}`, 204);
  const { user } = await openShare();
  const settings = await openSettings(user);
  await user.type(settings.getByLabelText("Link name"), "s");
  const reload = respondWith("get", "/api/ideas/7/shares", 200, [{ ...share, viewCount: 4 }]);
  const option = settings.getByRole("checkbox", { name: /^Readers may download/ });
  await user.click(option);
  await screen.findByText("Views: 4");
  expect(reload).toHaveLength(1);
  expect(option).toHaveFocus();
  expect(settings.getByLabelText("Link name")).toHaveValue("Mills");
});

test("takes downloads back on a live link, and on no ended one", async () => {
  const ended = aShare({ id: "b", state: "revoked", endedAt: "2026-11-20T12:00:00.000000Z" });
  const live = aShare({ name: "Mill" });
  serve({ shares: [live, ended] });
  const calls = respondWith("put", `/api/shares/${live.id}`, 204);
  const { user } = await openShare();
  const [ofLive, ofEnded] = await screen.findAllByRole("button", { name: /^Settings/ });
  if (ofEnded) await user.click(ofEnded);
  const list = region("Active Share Links");
  expect(await list.findByLabelText("Link name")).toBeVisible();
  expect(list.queryByRole("checkbox")).not.toBeInTheDocument();
  if (ofLive) await user.click(ofLive);
  const option = await list.findByRole("checkbox", { name: /^Readers may download/ });
  expect(option).toBeChecked();
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
  const settings = await openSettings(user);
  const option = settings.getByRole("checkbox", { name: /^Readers may download/ });
  const mode = settings.getByRole("combobox", { name: "Emails about this link" });
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
  const settings = await openSettings(user);
  const option = settings.getByRole("checkbox", { name: /^Readers of all links/ });
  await user.click(option);
  await waitFor(() => expect(option).not.toBeChecked());
  expect(await screen.findByText(messages.changeFailed)).toBeVisible();
});

test("shows a link that was made though no answer came", async () => {
  serve({ shares: [] });
  const { user } = await openShare();
  expect(await screen.findByText("No links yet")).toBeVisible();
  server.use(http.post("*/api/shares", () => HttpResponse.error()));
  respondWith("get", "/api/ideas/7/shares", 200, [aShare({ name: "Investors" })]);
  await user.click(screen.getByRole("button", { name: "Generate Share Link" }));
  expect(await screen.findByText("Investors")).toBeVisible();
});
