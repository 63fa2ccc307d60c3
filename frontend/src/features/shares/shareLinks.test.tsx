import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { deferResponse, respondWith } from "@/testing/api";
import { aShare } from "@/testing/fixtures";
import { server } from "@/testing/server";
import { messages } from "./messages";
import { common, openShare, recipient, region, serve, sha256 } from "./testShare";

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
  ["offers nothing more once all views of a used-up link are closed", 1, false],
  ["can revoke a used-up link while one of its views is open", 2, true],
])("%s", async (_, viewCount, isOpen) => {
  const share = aShare({ shareType: "one-time", maxViews: viewCount, viewCount });
  const seen = { revisionSha256: sha256, endsAt: "2026-11-20T10:33:00.000000Z" };
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
  await openShare();
  await region("Activity").findByText("closed the document", { exact: false });
  await screen.findByText("Used up");
  const options = screen.queryByText("Options for views that are still open");
  expect(options !== null).toBe(isOpen);
  expect(screen.queryByRole("button", { name: /^Revoke/ }) !== null).toBe(isOpen);
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

test("loads the activity anew once a link is revoked, which ends its views", async () => {
  serve();
  respondWith("delete", `/api/shares/${aShare().id}`, 204);
  const { user } = await openShare();
  await user.click(await screen.findByRole("button", { name: /^Revoke/ }));
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

test("stays open while a name is being saved, and says that it failed", async () => {
  serve({ shares: [aShare({ name: "Mill" })] });
  const { calls, release } = deferResponse("put", `/api/shares/${aShare().id}`);
  const { user } = await openShare();
  await user.click(await screen.findByRole("button", { name: /^Rename/ }));
  const field = await screen.findByLabelText("Link name");
  await user.type(field, "s{Enter}");
  await waitFor(() => expect(calls).toHaveLength(1));
  await user.type(field, "x{Escape}");
  expect(field).toHaveValue("Mills");
  expect(screen.getByRole("button", { name: "Cancel" })).toBeDisabled();
  release(503, { message: "The database is away." });
  expect(await screen.findByRole("alert")).toHaveTextContent("The database is away.");
  await user.type(field, "{Escape}");
  expect(field).not.toBeInTheDocument();
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

test("shows a link that was made though no answer came", async () => {
  serve({ shares: [] });
  const { user } = await openShare();
  expect(await screen.findByText(/No share links/)).toBeVisible();
  server.use(http.post("*/api/shares", () => HttpResponse.error()));
  respondWith("get", "/api/ideas/7/shares", 200, [aShare({ name: "Investors" })]);
  await user.click(screen.getByRole("button", { name: "Generate Share Link" }));
  expect(await screen.findByText("Investors")).toBeVisible();
});
