import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { deferResponse, respondWith } from "@/testing/api";
import { aShare } from "@/testing/fixtures";
import { common, openShare, recipient, region, serve, sha256 } from "./testShare";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-20T10:30:00.000Z") });
});
afterEach(() => vi.useRealTimers());

test("lists who did what, as the server orders it", async () => {
  serve({
    activity: [
      { type: "closed", id: "4", at: "2026-11-20T10:04:00.000000Z", ...common },
      {
        type: "viewed",
        id: "3",
        at: "2026-11-20T10:03:00.000000Z",
        revision: 2,
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
        revision: 2,
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
    ["closed the", "opened version", "accepted the", "was offered"],
  );
  expect(entries[2]).toHaveTextContent("for version 2");
  expect(entries[2]).toHaveTextContent(/version 2 9f86d081884c/);
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
  expect(dialog.getByText(/Evidence bundles and exports that were downloaded/)).toBeVisible();
  await user.type(dialog.getByLabelText("Your password"), "correct horse");
  await user.click(dialog.getByRole("checkbox", { name: /Keep accepted agreements/ }));
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  expect(erased).toHaveLength(0);

  await user.click(opener);
  const again = within(await screen.findByRole("dialog"));
  expect(again.getByRole("link", { name: "the report of this idea" })).toHaveAttribute(
    "href",
    "/api/ideas/7/report?format=pdf",
  );
  const keeps = again.getByRole("checkbox", { name: /Keep accepted agreements/ });
  expect(keeps).toBeChecked();
  await user.click(again.getByRole("button", { name: "Erase for good" }));
  expect(await again.findByText("Please enter your password")).toBeVisible();
  expect(erased).toHaveLength(0);
  await user.click(keeps);
  await user.type(again.getByLabelText("Your password"), "correct horse");
  const anonymous = { ...recipient, name: "An erased person", erased: true };
  respondWith("get", "/api/ideas/7/activity", 200, [{ ...registered, recipient: anonymous }]);
  await user.click(again.getByRole("button", { name: "Erase for good" }));
  expect(await screen.findByText("The person is erased.")).toBeVisible();
  expect(erased[0]?.url.pathname).toBe(`/api/recipients/${recipient.id}/person`);
  expect(erased[0]?.body).toEqual({ password: "correct horse", keepAgreements: false });
  await region("Activity").findByText("An erased person");
  expect(region("Activity").getByText(/Details erased/)).toBeVisible();
  expect(region("Activity").queryByRole("button", { name: /Erase/ })).not.toBeInTheDocument();
  expect(region("Activity").getByRole("listitem")).toHaveFocus();
});

test("keeps the question open when a person could not be erased", async () => {
  serve({ activity: [registered] });
  const { user } = await openShare();
  const message = "This is not your password. Nothing was erased.";
  respondWith("delete", "/api/recipients/:id/person", 400, { message, field: "password" });
  await user.click(await region("Activity").findByRole("button", { name: /Erase this person/ }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(dialog.getByLabelText("Your password"), "correct horse");
  await user.click(dialog.getByRole("button", { name: "Erase for good" }));
  expect(await dialog.findByText(message)).toBeVisible();
  respondWith("delete", "/api/recipients/:id/person", 503, { message: "The database is away." });
  await user.click(dialog.getByRole("button", { name: "Erase for good" }));
  expect(await dialog.findByRole("alert")).toHaveTextContent("The database is away.");
  expect(dialog.getByLabelText("Your password")).toHaveValue("correct horse");
});

test("stays open while a person is being erased", async () => {
  serve({ activity: [registered] });
  const { user } = await openShare();
  const { calls, release } = deferResponse("delete", "/api/recipients/:id/person");
  await user.click(await region("Activity").findByRole("button", { name: /Erase this person/ }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(dialog.getByLabelText("Your password"), "correct horse");
  await user.click(dialog.getByRole("button", { name: "Erase for good" }));
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(dialog.getByRole("button", { name: "Cancel" })).toBeDisabled();
  await user.click(dialog.getByRole("button", { name: "Close" }));
  await user.keyboard("{Escape}");
  release(503, { message: "The database is away." });
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
        revision: 2,
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
  expect(entry).toHaveTextContent("An erased person accepted the agreement for version 2");
  expect(entry).not.toHaveTextContent("rosa@example.com");
  expect(entry).not.toHaveTextContent("from");
  expect(screen.queryByRole("link", { name: /Download the agreement/ })).not.toBeInTheDocument();
});

test("tells the end of a view only where it ends", async () => {
  const view = {
    type: "viewed" as const,
    at: "2026-11-20T10:03:00.000000Z",
    revision: 2,
    revisionSha256: sha256,
    ...common,
  };
  serve({
    activity: [
      { ...view, id: "3", endsAt: "2026-11-20T10:33:00.000000Z" },
      { ...view, id: "2", endsAt: "2026-11-20T10:29:00.000000Z" },
      { ...view, id: "1", endsAt: null },
    ],
  });
  await openShare();
  const entries = await region("Activity").findAllByRole("listitem");
  expect(entries[0]).toHaveTextContent("Open until");
  expect(entries[1]).toHaveTextContent("Was open until");
  expect(entries[2]).not.toHaveTextContent(/open until/i);
});

test("shows the time of every entry at the same place, however long its text is", async () => {
  const at = "2026-11-20T10:03:00.000000Z";
  serve({
    activity: [
      { type: "declined", id: "2", at, reason: "Clause 6 is too long", ...common },
      { type: "downloaded", id: "1", at, ...common },
    ],
  });
  await openShare();
  await region("Activity").findByText("declined the agreement", { exact: false });
  for (const time of region("Activity").getAllByText("Nov 20, 2026", { exact: false })) {
    expect(time).toHaveClass("shrink-0");
    // Below the text on a phone, else beside it, never depending on its length.
    expect(time.parentElement).toHaveClass("flex-col", "sm:flex-row");
  }
});

test("a view that its reader has closed is not open any more", async () => {
  const view = {
    type: "viewed" as const,
    at: "2026-11-20T10:03:00.000000Z",
    revision: 2,
    revisionSha256: sha256,
    endsAt: "2026-11-20T10:33:00.000000Z",
    ...common,
  };
  const other = { ...recipient, id: "22222222-2222-4222-8222-222222222222", name: "Wim Prou" };
  serve({
    activity: [
      { type: "closed", id: "3", at: "2026-11-20T10:05:00.000000Z", ...common },
      { ...view, id: "2", recipient: other },
      { ...view, id: "1" },
    ],
  });
  await openShare();
  const entries = await region("Activity").findAllByRole("listitem");
  expect(entries[1]).toHaveTextContent(/Wim Prou opened version 2.*Open until/);
  expect(entries[2]).toHaveTextContent("Rosa Lindt opened version 2");
  expect(entries[2]).not.toHaveTextContent("Open until");
});

test("counts registrations without an agreement instead of listing them", async () => {
  serve({
    shares: [
      aShare({ id: "a", name: "Mill", foldedRegistrations: 1204 }),
      aShare({ id: "b", name: "Patent office", foldedRegistrations: 1 }),
      aShare({ id: "c", name: "Quiet" }),
    ],
    activity: [
      { type: "declined", id: "1", at: "2026-11-20T10:01:00.000000Z", reason: null, ...common },
    ],
  });
  await openShare();
  expect(await region("Activity").findByText(/declined the agreement/)).toBeVisible();
  expect(
    region("Activity").getByText("1,204 more people registered on Mill and went no further."),
  ).toBeVisible();
  expect(
    region("Activity").getByText("1 more person registered on Patent office and went no further."),
  ).toBeVisible();
  expect(region("Activity").queryByText(/on Quiet/)).toBeNull();
});
