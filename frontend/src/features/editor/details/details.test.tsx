import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it, test, vi } from "vitest";
import type { Activity } from "@/api/generated";
import { neverRespond, respondWith, signedIn, signedOut } from "@/testing/api";
import { aComment, aShare, aUser } from "@/testing/fixtures";
import { formatDateTimeSeconds } from "@/ui/dates";
import { button, openIdea, openNew, PUBLISHED, type } from "../testPage";
import { recipientsOf } from "./recipients";

const HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const NDA_HASH = "1b4f0e9851971998e732078544c96b36c3d01cedf7caa332359d6f1d83567014";

const confirmed = {
  identity: "emailConfirmed",
  emailConfirmedAt: "2026-11-20T10:01:30.000000Z",
} as const;
const unconfirmed = { identity: "selfDeclared", emailConfirmedAt: null } as const;
const rosa = {
  ...{ id: "r1", name: "Rosa Lindt", email: "rosa@example.org", phone: "+41 44 000" },
  ...confirmed,
};
const tim = { id: "r2", name: "Tim Roth", email: "tim@example.org", phone: null, ...unconfirmed };
const base = (id: string, recipient: typeof rosa | typeof tim, minute: number) => ({
  id,
  recipient,
  at: `2026-11-20T10:0${minute}:00.000000Z`,
  shareId: "s1",
  shareType: "one-time" as const,
});
const ACTIVITY: Activity[] = [
  { ...base("e4", tim, 4), type: "registered" },
  {
    ...base("e3", rosa, 3),
    type: "viewed",
    revision: 2,
    revisionSha256: HASH,
    endsAt: "2026-11-20T10:33:00.000000Z",
  },
  {
    ...base("e2", rosa, 2),
    type: "agreed",
    ndaVersion: "1.1",
    ndaSha256: NDA_HASH,
    revision: 2,
    revisionSha256: HASH,
    ...confirmed,
    ip: "192.0.2.7",
    userAgent: null,
  },
  { ...base("e1", rosa, 1), type: "registered" },
] as Activity[];

const revision = (number: number) => ({
  revision: number,
  title: "Self-watering planter",
  contentKind: "html",
  sha256: HASH,
  createdAt: `2026-11-20T09:0${number}:00.000000Z`,
  kept: true,
});

afterEach(() => vi.useRealTimers());

async function openSection(name: string) {
  const app = await openIdea();
  const panel = within(await screen.findByRole("region", { name: "Idea details" }));
  await app.user.click(panel.getByRole("button", { name }));
  return { ...app, panel };
}

const SECTIONS = [
  ["Version history", "/api/ideas/7/revisions", "The versions could not be loaded."],
  ["Links", "/api/ideas/7/shares", "The links could not be loaded."],
  ["Readers", "/api/ideas/7/activity", "The activity could not be loaded."],
  ["Accepted agreements", "/api/ideas/7/activity", "The activity could not be loaded."],
  ["Views", "/api/ideas/7/activity", "The activity could not be loaded."],
  ["Comments", "/api/comments", "The comments could not be loaded."],
] as const;

test.each(SECTIONS)("%s: shows that it is loading", async (name, path) => {
  neverRespond("get", path);
  const { panel } = await openSection(name);
  expect(await panel.findByText("Loading...")).toBeInTheDocument();
});

test.each(SECTIONS)("%s: reports a failure, and retries", async (name, path, failed) => {
  respondWith("get", path, 503, { message: "Down." });
  const { user, panel } = await openSection(name);
  expect(await panel.findByText(failed)).toBeVisible();
  respondWith("get", path, 200, []);
  await user.click(panel.getByRole("button", { name: "Try again" }));
  expect(await panel.findByText(/^(No|Nobody) .* yet$/)).toBeVisible();
  await waitFor(() => expect(panel.queryByText(failed)).not.toBeInTheDocument());
});

test.each(SECTIONS)("%s: shows when it is empty", async (name, path) => {
  respondWith("get", path, 200, []);
  const { panel } = await openSection(name);
  expect(await panel.findByText(/^(No|Nobody) .* yet$/)).toBeVisible();
});

test.each(SECTIONS)("%s: loads from the server each time it opens", async (name, path) => {
  const calls = respondWith("get", path, 200, []);
  const { user, panel } = await openSection(name);
  await waitFor(() => expect(calls).toHaveLength(1));
  await panel.findByText(/^(No|Nobody) .* yet$/);
  await user.click(panel.getByRole("button", { name }));
  await user.click(panel.getByRole("button", { name }));
  await waitFor(() => expect(calls).toHaveLength(2));
});

test("nothing is requested before a section is opened", async () => {
  const calls = SECTIONS.map(([, path]) => respondWith("get", path, 200, []));
  await openIdea();
  expect(calls.flat()).toEqual([]);
});

test("a new idea has no details", async () => {
  await openNew();
  expect(screen.queryByRole("region", { name: "Idea details" })).not.toBeInTheDocument();
});

it("lists revisions with times and hashes that can be copied", async () => {
  respondWith("get", "/api/ideas/7/revisions", 200, [revision(2), revision(1)]);
  const { user, panel } = await openSection("Version history");
  const rows = await panel.findAllByRole("listitem");
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^Version 2 .*2026.*9f86d081884cOpen version 2$/),
    expect.stringMatching(/^Version 1 .*2026.*9f86d081884cOpen version 1$/),
  ]);
  await user.click(panel.getByRole("button", { name: "Copy SHA-256 of version 2" }));
  expect(await panel.findByRole("button", { name: "Copied" })).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe(HASH);
});

it("opens a revision, shows what changed since, and restores it by saving it", async () => {
  respondWith("get", "/api/ideas/7/revisions", 200, [
    revision(3),
    revision(2),
    { ...revision(1), kept: false },
  ]);
  respondWith("get", "/api/ideas/7/revisions/2", 200, {
    ...{ ...revision(2), title: "Old planter", content: "<p>Water drips down.</p>" },
  });
  respondWith("get", "/api/ideas/7/revisions/3", 200, {
    ...{ ...revision(3), content: "<p>Water wicks up.</p>" },
  });
  const { user, panel, idea } = await openSection("Version history");
  expect(await panel.findByText(/^Its text is no longer kept/)).toBeVisible();
  await user.click(panel.getByRole("button", { name: "Open version 2" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Version 2" }));
  expect(await dialog.findByText("Water drips down.")).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Changes" }));
  await waitFor(() => {
    const words = (role: string) => dialog.getAllByRole(role).map((part) => part.textContent);
    expect(words("deletion").join(" ")).toMatch(/drips.*down/);
    expect(words("insertion").join(" ")).toMatch(/wicks.*up/);
  });
  const saves = respondWith("put", "/api/ideas/7", 200, {
    ...idea,
    title: "Old planter",
    revision: 4,
  });
  await user.click(dialog.getByRole("button", { name: "Restore this version" }));
  expect(dialog.getByRole("button", { name: "Restore and save" })).toHaveFocus();
  await user.click(dialog.getByRole("button", { name: "Restore and save" }));
  await waitFor(() => expect(saves).toHaveLength(1));
  expect(saves[0]?.body).toMatchObject({
    title: "Old planter",
    content: "<p>Water drips down.</p>",
    baseRevision: idea.revision,
  });
  expect(await screen.findByText("Water drips down.")).toBeVisible();
});

it("shows the revision that saving adds", async () => {
  respondWith("get", "/api/ideas/7/revisions", 200, [revision(1)]);
  const { user, panel, editor, idea } = await openSection("Version history");
  expect(await panel.findAllByRole("listitem")).toHaveLength(1);
  respondWith("put", "/api/ideas/7", 200, { ...idea, revision: 2 });
  respondWith("get", "/api/ideas/7/revisions", 200, [revision(2), revision(1)]);
  await type(editor, "!");
  await user.click(button("Save Changes"));
  await waitFor(() => expect(panel.getAllByRole("listitem")).toHaveLength(2));
});

it("shows when it was last saved: after a save, and after publishing as well", async () => {
  const { user, editor, idea } = await openIdea();
  const lastSaved = async () => (await screen.findByText("Last saved")).nextElementSibling;
  const saved = { ...idea, revision: 2, lastModified: revision(2).createdAt };
  respondWith("put", "/api/ideas/7", 200, saved);
  await type(editor, "!");
  await user.click(button("Save Changes"));
  const text = formatDateTimeSeconds(saved.lastModified);
  await waitFor(async () => expect(await lastSaved()).toHaveTextContent(text));

  respondWith("get", "/api/ideas/7/revisions", 200, [revision(2), revision(1)]);
  const lastModified = PUBLISHED.blockchainTimestamp;
  respondWith("put", "/api/ideas/7/publish", 200, { ...saved, ...PUBLISHED, lastModified });
  await user.click(button("Publish"));
  await user.click(await screen.findByRole("button", { name: "Publish idea" }));
  await screen.findByText("Blockchain timestamp");
  await waitFor(async () => expect(await lastSaved()).toHaveTextContent(text));
});

it("shows each link with its state, and leads to the share screen", async () => {
  respondWith("get", "/api/ideas/7/shares", 200, [
    aShare(),
    aShare({ id: "b", shareType: "one-time", state: "exhausted", viewCount: 1, maxViews: 1 }),
    aShare({ id: "c", shareType: "time-dependent", state: "expired" }),
  ]);
  const { panel } = await openSection("Links");
  const [open, used, expired] = await panel.findAllByRole("listitem");
  expect(open).toHaveTextContent(/Full access.*Active.*Views: 0/);
  expect(used).toHaveTextContent(/One-time view.*Used up.*Views: 1 \/ 1/);
  expect(expired).toHaveTextContent(/Time-dependent.*Expired/);
  expect(panel.getByRole("link", { name: "Manage links" })).toHaveAttribute("href", "/share/7");
});

it("shows the furthest step of each recipient", async () => {
  respondWith("get", "/api/ideas/7/activity", 200, ACTIVITY);
  const { panel } = await openSection("Readers");
  const rows = await panel.findAllByRole("listitem");
  expect(rows[0]).toHaveTextContent(/Tim Roth.*Registered.*tim@example.org · One-time view/);
  expect(rows[1]).toHaveTextContent(/Rosa Lindt.*Opened.*rosa@example.org · \+41 44 000/);
  expect(rows[0]).toHaveTextContent("Email not confirmed");
  expect(rows[1]).toHaveTextContent(/Email confirmed .*2026/);
});

it("shows who agreed to which text about which revision", async () => {
  respondWith("get", "/api/ideas/7/activity", 200, ACTIVITY);
  const { panel } = await openSection("Accepted agreements");
  const rows = await panel.findAllByRole("listitem");
  expect(rows).toHaveLength(1);
  expect(rows[0]).toHaveTextContent(
    /Rosa Lindt.*from 192.0.2.7.*Email confirmed .*NDA 1.1.*1b4f0e985197.*Version 2.*9f86d08/,
  );
});

it.each([
  ["2026-11-20T10:30:00.000Z", /Rosa Lindt.*, open until.*Version 2.*9f86d081884c/],
  ["2026-11-20T10:33:00.000Z", /Rosa Lindt.*, was open until.*Version 2.*9f86d081884c/],
])("shows at %s who viewed which revision, and until when", async (now, text) => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date(now) });
  respondWith("get", "/api/ideas/7/activity", 200, ACTIVITY);
  const { panel } = await openSection("Views");
  const rows = await panel.findAllByRole("listitem");
  expect(rows).toHaveLength(1);
  expect(rows[0]).toHaveTextContent(text);
});

it("does not call a view open that its reader has closed", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-20T10:30:00.000Z") });
  const closed = { ...base("e5", rosa, 5), type: "closed" } as Activity;
  respondWith("get", "/api/ideas/7/activity", 200, [closed, ...ACTIVITY]);
  const { panel } = await openSection("Views");
  expect(await panel.findByRole("listitem")).not.toHaveTextContent(/open until/);
});

it("lets the owner reply to a comment", async () => {
  const question = aComment();
  const reply = aComment({ id: "mine", recipientId: null, author: "Ada Lovelace", content: "No." });
  respondWith("get", "/api/comments", 200, [question]);
  const sent = respondWith("post", "/api/comments", 201, reply);
  const { user, panel } = await openSection("Comments");
  expect(await panel.findByText("Does the wick need changing?")).toBeVisible();
  const send = panel.getByRole("button", { name: "Send" });
  expect(send).toBeDisabled();
  respondWith("get", "/api/comments", 200, [question, reply]);
  await user.type(panel.getByLabelText("Comment for all readers"), " No. ");
  expect(panel.getByText(/^5 \/ 5000/)).toBeVisible();
  await user.click(send);
  expect(await panel.findByText("(you)")).toBeVisible();
  expect(panel.getByText("No.")).toBeVisible();
  await waitFor(() => expect(panel.getByLabelText("Comment for all readers")).toHaveValue(""));
  expect(sent.map(({ body }) => body)).toEqual([{ content: "No.", ideaId: 7 }]);
});

it("keeps a reply that could not be sent", async () => {
  respondWith("get", "/api/comments", 200, []);
  respondWith("post", "/api/comments", 500, { message: "no" });
  const { user, panel } = await openSection("Comments");
  await user.type(await panel.findByLabelText("Comment for all readers"), "No.");
  await user.click(panel.getByRole("button", { name: "Send" }));
  expect(await panel.findByRole("alert")).toHaveTextContent(
    "Failed to add comment. Please try again.",
  );
  expect(panel.getByLabelText("Comment for all readers")).toHaveValue("No.");
});

it("keeps a reply that is being written when the section is closed or the page left", async () => {
  respondWith("get", "/api/comments", 200, []);
  respondWith("get", "/api/ideas", 200, []);
  const { user, panel, router } = await openSection("Comments");
  await user.type(await panel.findByLabelText("Comment for all readers"), "No.");
  await user.click(panel.getByRole("button", { name: "Comments" }));
  await waitFor(() =>
    expect(panel.queryByLabelText("Comment for all readers")).not.toBeInTheDocument(),
  );
  await user.click(panel.getByRole("button", { name: "Comments" }));
  expect(await panel.findByLabelText("Comment for all readers")).toHaveValue("No.");
  await router.navigate("/dashboard");
  await screen.findByRole("heading", { name: "Idea Portfolio" });
  await router.navigate("/editor/7");
  await user.click(await screen.findByRole("button", { name: "Comments" }));
  expect(await screen.findByLabelText("Comment for all readers")).toHaveValue("No.");
});

async function writeAnswer() {
  respondWith("get", "/api/comments", 200, []);
  respondWith("get", "/api/ideas", 200, []);
  const app = await openSection("Comments");
  await app.user.type(await app.panel.findByLabelText("Comment for all readers"), "Perhaps.");
  const kept = () => JSON.stringify(app.store.getState()).includes("Perhaps.");
  await waitFor(() => expect(kept()).toBe(true));
  return { ...app, kept };
}

it("removes a reply that is being written when its author logs out", async () => {
  const { user, router, kept } = await writeAnswer();
  respondWith("post", "/api/auth/logout", 200, { success: true });
  await router.navigate("/dashboard");
  await screen.findByRole("heading", { name: "Idea Portfolio" });
  await user.click(await screen.findByRole("button", { name: "Account" }));
  await user.click(await screen.findByRole("menuitem", { name: "Log Out" }));
  await waitFor(() => expect(kept()).toBe(false));
});

it("removes a reply that is being written when another user is signed in", async () => {
  const { router, kept } = await writeAnswer();
  signedIn(aUser({ id: "0c2b7d10-1111-4111-8111-111111111111" }));
  await router.navigate("/dashboard");
  await waitFor(() => expect(kept()).toBe(false));
});

it("keeps a reply that is being written when the session expires", async () => {
  const { router, path, kept } = await writeAnswer();
  signedOut();
  await router.navigate("/dashboard");
  await waitFor(() => expect(path()).toBe("/login"));
  expect(kept()).toBe(true);
});

test("the furthest step of each recipient counts, whatever the order of times", () => {
  const [first] = ACTIVITY;
  const closed = { ...first, type: "closed", at: "2026-11-20T10:09:00.000000Z" } as Activity;
  const found = recipientsOf([closed, ...ACTIVITY]);
  expect(found.map(({ recipient, stage }) => [recipient.name, stage])).toEqual([
    ["Tim Roth", "closed"],
    ["Rosa Lindt", "viewed"],
  ]);
});
