import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { neverRespond, respondWith, signedIn } from "@/testing/api";
import { someEvidence } from "@/testing/evidence";
import { aListedIdea, aUser } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";

const draft = aListedIdea({ id: 7, title: "Self-watering planter" });
const published = aListedIdea({
  id: 8,
  title: "",
  status: "published",
  blockchainTimestamp: "2026-11-19T08:00:00.000000Z",
});

async function openDashboard() {
  const app = renderRoute("/dashboard");
  await screen.findByRole("heading", { name: "Idea Portfolio" });
  return app;
}

const column = (name: string) => within(screen.getByRole("region", { name }));

async function confirmDeletion(user: Awaited<ReturnType<typeof openDashboard>>["user"]) {
  await user.click(await screen.findByRole("button", { name: "Delete Self-watering planter" }));
  const dialog = await screen.findByRole("alertdialog");
  expect(dialog).toHaveAccessibleDescription(
    'Are you sure you want to delete "Self-watering planter"? This action cannot be undone.',
  );
  await user.click(within(dialog).getByRole("button", { name: "Delete" }));
}

test("greets by first name", async () => {
  signedIn(aUser({ name: "Ada Lovelace" }));
  respondWith("get", "/api/ideas", 200, []);
  await openDashboard();
  expect(await screen.findByText("Hi Ada")).toBeVisible();
});

test("greets without a name when there is none", async () => {
  signedIn(aUser({ name: "" }));
  respondWith("get", "/api/ideas", 200, []);
  await openDashboard();
  expect(await screen.findByText("Hi User")).toBeVisible();
});

test("shows for each column that it is empty", async () => {
  signedIn();
  respondWith("get", "/api/ideas", 200, []);
  await openDashboard();
  expect(await screen.findByText("No drafts yet")).toBeVisible();
  expect(await screen.findByText("No published ideas yet")).toBeVisible();
  expect(await screen.findByText("No assets uploaded yet")).toBeVisible();
  expect(await screen.findByText("No shared ideas yet")).toBeVisible();
});

test("shows that ideas are loading", async () => {
  signedIn();
  neverRespond("get", "/api/ideas");
  await openDashboard();
  await waitFor(() => expect(screen.getAllByText("Loading...")).toHaveLength(2));
  expect(screen.queryByText("No drafts yet")).not.toBeInTheDocument();
});

test("sorts ideas by status, with the actions each may have", async () => {
  signedIn();
  respondWith("get", "/api/ideas", 200, [draft, published]);
  await openDashboard();
  const title = await column("Drafts").findByRole("link", {
    name: "Idea (7) : Self-watering planter",
  });
  expect(title).toHaveAttribute("href", "/editor/7");
  expect(column("Drafts").getByRole("link", { name: /^Edit/ })).toHaveAttribute(
    "href",
    "/editor/7",
  );
  expect(column("Drafts").getByRole("link", { name: /^Share/ })).toHaveAttribute(
    "href",
    "/share/7",
  );
  expect(column("Drafts").getByRole("button", { name: /^Delete/ })).toBeEnabled();

  const right = column("Published");
  expect(right.getByRole("link", { name: "Idea (8) : Untitled Idea" })).toBeVisible();
  expect(right.getByText(/^Nov 19, 2026/)).toBeVisible();
  expect(right.getByRole("link", { name: /^Share/ })).toHaveAttribute("href", "/share/8");
  expect(right.queryByRole("link", { name: /^Edit/ })).not.toBeInTheDocument();
  expect(right.queryByRole("button", { name: /^Delete/ })).not.toBeInTheDocument();
});

test("says beside each timestamp whether that version is on record", async () => {
  signedIn();
  const recorded = aListedIdea({ id: 9, title: "Kettle", onRecord: true });
  respondWith("get", "/api/ideas", 200, [draft, recorded, published]);
  await openDashboard();
  await screen.findByRole("link", { name: /^Idea \(9\)/ });
  const states = screen
    .getAllByText(/^(On|Not on) record · /)
    .map(({ textContent }) => textContent);
  expect(states.map((text) => text?.split(" · ")[0])).toEqual([
    "Not on record",
    "On record",
    "On record",
  ]);
  expect(await screen.findAllByRole("button", { name: /on record$/ })).toHaveLength(1);
});

test("puts a draft on record by one button", async () => {
  signedIn();
  respondWith("get", "/api/ideas", 200, [draft]);
  const calls = respondWith(
    "post",
    "/api/ideas/7/evidence/record",
    200,
    someEvidence({ revision: 4 }),
  );
  const { user } = await openDashboard();
  const button = await screen.findByRole("button", { name: "Put Self-watering planter on record" });
  respondWith("get", "/api/ideas", 200, [{ ...draft, onRecord: true }]);
  await user.click(button);
  expect(await screen.findByText("Version 4 is on record.")).toBeVisible();
  expect(await screen.findByText(/^On record · /)).toBeVisible();
  expect(calls).toHaveLength(1);
  expect(screen.queryByRole("button", { name: /on record$/ })).toBeNull();
  expect(screen.getByRole("link", { name: "Idea (7) : Self-watering planter" })).toHaveFocus();
});

test("a draft that could not be put on record says so and keeps the button", async () => {
  signedIn();
  respondWith("get", "/api/ideas", 200, [draft]);
  respondWith("post", "/api/ideas/7/evidence/record", 503, { message: "down" });
  const { user } = await openDashboard();
  const button = await screen.findByRole("button", { name: "Put Self-watering planter on record" });
  await user.click(button);
  expect(await screen.findByText(/could not be put on record/)).toBeVisible();
  expect(button).toBeVisible();
  expect(screen.getByText(/^Not on record · /)).toBeVisible();
});

test("offers to try again when the ideas cannot be loaded", async () => {
  signedIn();
  respondWith("get", "/api/ideas", 503, { message: "down" });
  const { user } = await openDashboard();
  const [retry] = await screen.findAllByRole("button", { name: "Try again" });
  respondWith("get", "/api/ideas", 200, [draft]);
  if (retry) await user.click(retry);
  expect(
    await screen.findByRole("link", { name: "Idea (7) : Self-watering planter" }),
  ).toBeVisible();
});

test("deletes a draft after confirmation", async () => {
  signedIn();
  respondWith("get", "/api/ideas", 200, [draft]);
  const calls = respondWith("delete", "/api/ideas/7", 204);
  const { user } = await openDashboard();
  await screen.findByText(/Self-watering planter/);
  respondWith("get", "/api/ideas", 200, []);
  await confirmDeletion(user);
  expect(await screen.findByText("Idea deleted successfully!")).toBeVisible();
  expect(await screen.findByText("No drafts yet")).toBeVisible();
  expect(calls).toHaveLength(1);
});

test("takes a draft that is gone already for deleted", async () => {
  signedIn();
  respondWith("get", "/api/ideas", 200, [draft]);
  respondWith("delete", "/api/ideas/7", 404, { message: "Not found" });
  const { user } = await openDashboard();
  await screen.findByText(/Self-watering planter/);
  respondWith("get", "/api/ideas", 200, []);
  await confirmDeletion(user);
  expect(await screen.findByText("Idea deleted successfully!")).toBeVisible();
  expect(await screen.findByText("No drafts yet")).toBeVisible();
});

test("restores the draft when it cannot be deleted", async () => {
  signedIn();
  respondWith("get", "/api/ideas", 200, [draft]);
  respondWith("delete", "/api/ideas/7", 503, { message: "down" });
  const { user } = await openDashboard();
  await confirmDeletion(user);
  expect(await screen.findByText("Failed to delete idea. Please try again.")).toBeVisible();
  expect(
    await screen.findByRole("link", { name: "Idea (7) : Self-watering planter" }),
  ).toBeVisible();
});

test("keeps the draft when deleting is cancelled, and returns focus", async () => {
  signedIn();
  respondWith("get", "/api/ideas", 200, [draft]);
  const { user } = await openDashboard();
  const button = await screen.findByRole("button", { name: /^Delete/ });
  await user.click(button);
  await user.click(await screen.findByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument());
  await waitFor(() => expect(button).toHaveFocus());
});

test("logs out", async () => {
  signedIn();
  respondWith("get", "/api/ideas", 200, []);
  const calls = respondWith("post", "/api/auth/logout", 200, { success: true });
  const { user, path } = await openDashboard();
  await user.click(screen.getByRole("button", { name: "Account" }));
  await user.click(await screen.findByRole("menuitem", { name: "Log Out" }));
  expect(await screen.findByText("You have been successfully logged out.")).toBeVisible();
  await waitFor(() => expect(path()).toBe("/login"));
  expect(calls[0]?.body).toEqual({});
  expect(localStorage.getItem("currentUser")).toBeNull();
});

test("stays when logging out fails", async () => {
  signedIn();
  respondWith("get", "/api/ideas", 200, []);
  respondWith("post", "/api/auth/logout", 503, { message: "down" });
  const { user, path } = await openDashboard();
  await user.click(screen.getByRole("button", { name: "Account" }));
  await user.click(await screen.findByRole("menuitem", { name: "Log Out" }));
  expect(await screen.findByText("Failed to logout. Please try again.")).toBeVisible();
  expect(path()).toBe("/dashboard");
});

const asset = (id: string, fileName: string) => ({
  id,
  fileName,
  filePath: `/api/files/${id}`,
  createdAt: "2026-11-20T09:30:00.000000Z",
});

test("shows the assets with their count", async () => {
  signedIn();
  respondWith("get", "/api/ideas", 200, []);
  respondWith("get", "/api/assets", 200, [asset("f1", "boat.png"), asset("f2", "wick.jpg")]);
  await openDashboard();
  await screen.findByRole("region", { name: "My Assets" });
  const images = await column("My Assets").findAllByRole("img");
  expect(images.map((image) => image.getAttribute("src"))).toEqual([
    "/api/files/f1",
    "/api/files/f2",
  ]);
  expect(images[0]).toHaveAccessibleName("boat.png");
  expect(column("My Assets").getByText("2")).toBeVisible();
});

test("loads no asset from another server, and reports a missing one", async () => {
  signedIn();
  respondWith("get", "/api/ideas", 200, []);
  respondWith("get", "/api/assets", 200, [
    { ...asset("f1", "pixel.png"), filePath: "https://elsewhere.example/pixel.png" },
    asset("f2", "gone.png"),
  ]);
  await openDashboard();
  await screen.findByRole("region", { name: "My Assets" });
  expect(
    await column("My Assets").findByRole("img", { name: "pixel.png, not available" }),
  ).toBeVisible();
  fireEvent.error(column("My Assets").getByRole("img", { name: "gone.png" }));
  expect(
    await column("My Assets").findByRole("img", { name: "gone.png, not available" }),
  ).toBeVisible();
});

test("offers to try again when the assets cannot be loaded", async () => {
  signedIn();
  respondWith("get", "/api/ideas", 200, []);
  respondWith("get", "/api/assets", 503, { message: "down" });
  const { user } = await openDashboard();
  expect(await screen.findByText("Your assets could not be loaded.")).toBeVisible();
  respondWith("get", "/api/assets", 200, []);
  await user.click(column("My Assets").getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("No assets uploaded yet")).toBeVisible();
});

test("says how many ideas cannot be read, and shows the others", async () => {
  signedIn();
  const damaged = aListedIdea({ id: 8, title: "", isDamaged: true });
  respondWith("get", "/api/ideas", 200, [aListedIdea(), damaged]);
  const { user } = await openDashboard();
  const notice = await screen.findByText(/^1 idea cannot be read: its stored data is damaged/);
  expect(notice).toHaveTextContent("Please ask the operator of this vault");
  expect(screen.getByText("Idea (7) : Self-watering planter")).toBeVisible();
  expect(screen.getByText("Idea (8) : Unreadable idea")).toBeVisible();
  respondWith("delete", "/api/ideas/8", 204);
  await user.click(screen.getByRole("button", { name: "Delete Unreadable idea" }));
  respondWith("get", "/api/ideas", 200, [aListedIdea()]);
  await user.click(await screen.findByRole("button", { name: "Delete" }));
  await waitFor(() => expect(notice).not.toBeInTheDocument());
});

test("shows the user's photo", async () => {
  signedIn(aUser({ profileImage: "/api/files/me" }));
  respondWith("get", "/api/ideas", 200, []);
  await openDashboard();
  const account = within(screen.getByRole("button", { name: "Account" }));
  expect(account.getByRole("presentation")).toHaveAttribute("src", "/api/files/me");
});

test("shows on each card the kind of idea, its links and views", async () => {
  signedIn();
  respondWith("get", "/api/ideas", 200, [
    aListedIdea({ id: 7, linkCount: 1, viewCount: 12 }),
    aListedIdea({ id: 8, contentKind: "pdf", title: "Scan" }),
  ]);
  await openDashboard();
  expect(await screen.findByText("Not on record · Text · 1 link · 12 views")).toBeVisible();
  expect(screen.getByText("Not on record · PDF · 0 links · 0 views")).toBeVisible();
});

test("searches titles by words, without case and accents", async () => {
  signedIn();
  respondWith("get", "/api/ideas", 200, [
    aListedIdea({ id: 1, title: "Café grinder" }),
    aListedIdea({ id: 2, title: "Boat", status: "published" }),
  ]);
  const { user } = await openDashboard();
  await user.type(await screen.findByLabelText("Search your ideas"), "grinder CAFE");
  await waitFor(() => expect(column("Published").getByText("No matches here")).toBeVisible());
  expect(column("Drafts").getByRole("link", { name: "Idea (1) : Café grinder" })).toBeVisible();
  expect(screen.getByText("1 of 2 ideas")).toBeInTheDocument();
});

test("filters and orders", async () => {
  signedIn();
  respondWith("get", "/api/ideas", 200, [
    aListedIdea({ id: 1, title: "Zither", linkCount: 2 }),
    aListedIdea({ id: 2, title: "Anvil", linkCount: 1 }),
    aListedIdea({ id: 3, title: "Boat" }),
  ]);
  const { user } = await openDashboard();
  const titles = () =>
    column("Drafts")
      .getAllByRole("heading", { level: 3 })
      .map((heading) => heading.textContent?.replace(/^.* : /, ""));
  await user.selectOptions(await screen.findByLabelText("Order by"), "Title");
  await waitFor(() => expect(titles()).toEqual(["Anvil", "Boat", "Zither"]));
  await user.selectOptions(screen.getByLabelText("Show"), "Shared");
  await waitFor(() => expect(titles()).toEqual(["Anvil", "Zither"]));
});

test("tags are on the cards, found by the search, and filter", async () => {
  signedIn();
  respondWith("get", "/api/ideas", 200, [
    aListedIdea({ id: 1, title: "Zither", tags: ["strings", "Küche"] }),
    aListedIdea({ id: 2, title: "Boat", tags: ["Strings"] }),
    aListedIdea({ id: 3, title: "Anvil", tags: ["forge"], archived: true }),
  ]);
  const { user } = await openDashboard();
  const drafts = () => column("Drafts").getAllByRole("heading", { level: 3 });
  expect(await screen.findByText("strings, Küche")).toBeVisible();
  const show = screen.getByLabelText("Show");
  const tags = within(within(show).getByRole("group", { name: "Tags" })).getAllByRole("option");
  expect(tags.map(({ textContent }) => textContent)).toEqual(["Küche", "strings"]);
  await user.selectOptions(show, "Küche");
  await waitFor(() => expect(drafts()).toHaveLength(1));
  await user.selectOptions(show, "strings");
  await waitFor(() => expect(drafts()).toHaveLength(2));
  await user.type(screen.getByLabelText("Search your ideas"), "kuche");
  await waitFor(() => expect(drafts()).toHaveLength(1));
});

test("archived ideas are shown when asked for", async () => {
  signedIn();
  respondWith("get", "/api/ideas", 200, [aListedIdea({ id: 3, title: "Anvil", archived: true })]);
  const { user } = await openDashboard();
  const show = await screen.findByLabelText("Show");
  expect(screen.queryByRole("link", { name: /Anvil/ })).not.toBeInTheDocument();
  expect(column("Drafts").getByText("No drafts yet")).toBeVisible();
  await user.selectOptions(show, "Archived");
  expect(await screen.findByRole("link", { name: "Idea (3) : Anvil" })).toBeVisible();
  expect(column("Published").getByText("No matches here")).toBeVisible();
});

test("an idea is tagged and archived, and focus is not lost", async () => {
  signedIn();
  const planter = { ...draft, tags: ["garden"] };
  respondWith("get", "/api/ideas", 200, [planter]);
  const calls = respondWith("put", "/api/ideas/7/organize", 400, {
    message: "Please use at most 10 tags",
    field: "tags",
  });
  const { user } = await openDashboard();
  await user.click(await screen.findByRole("button", { name: "Organize Self-watering planter" }));
  const dialog = await screen.findByRole("dialog", { name: "Organize this idea" });
  const tags = within(dialog).getByLabelText("Tags");
  expect(tags).toHaveValue("garden");
  await user.type(tags, ", , Küche ,");
  await user.click(within(dialog).getByRole("checkbox", { name: /^Archive this idea/ }));
  const save = within(dialog).getByRole("button", { name: "Save" });
  await user.click(save);
  await waitFor(() => expect(tags).toHaveAccessibleDescription(/at most 10 tags/));
  expect(tags).toHaveValue("garden, , Küche ,");
  expect(calls[0]?.body).toEqual({ tags: ["garden", "Küche"], archived: true });
  const organized = { tags: ["garden", "Küche"], archived: true };
  respondWith("put", "/api/ideas/7/organize", 200, organized);
  respondWith("get", "/api/ideas", 200, [{ ...planter, ...organized }]);
  await user.click(save);
  expect(await screen.findByText("Idea organized.")).toBeVisible();
  expect(await screen.findByText("No drafts yet")).toBeVisible();
  await waitFor(() => expect(screen.getByRole("heading", { name: "Drafts" })).toHaveFocus());
});

test("of an unreadable idea, archiving leaves the tags that nobody can see", async () => {
  signedIn();
  const unreadable = aListedIdea({ id: 8, title: "", isDamaged: true });
  respondWith("get", "/api/ideas", 200, [unreadable]);
  const calls = respondWith("put", "/api/ideas/8/organize", 200, { tags: [], archived: true });
  const { user } = await openDashboard();
  await user.click(await screen.findByRole("button", { name: "Organize Unreadable idea" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Organize this idea" }));
  await user.click(dialog.getByRole("checkbox", { name: /^Archive this idea/ }));
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Idea organized.")).toBeVisible();
  expect(calls[0]?.body).toEqual({ archived: true });
});

test("orders by publication, newest first, and leaves the rest as the server sent it", async () => {
  signedIn();
  const published = (id: number, title: string, blockchainTimestamp: string) =>
    aListedIdea({ id, title, status: "published", blockchainTimestamp });
  respondWith("get", "/api/ideas", 200, [
    aListedIdea({ id: 1, title: "Zither" }),
    published(2, "Old", "2025-01-31T08:00:00.000000Z"),
    published(3, "Tied one", "2026-02-01T08:00:00.100000Z"),
    aListedIdea({ id: 4, title: "Anvil" }),
    published(5, "Tied two", "2026-02-01T08:00:00.100000Z"),
    published(6, "Newest", "2026-02-01T08:00:00.100001Z"),
  ]);
  const { user } = await openDashboard();
  const titles = (of: string) =>
    column(of)
      .getAllByRole("heading", { level: 3 })
      .map((heading) => heading.textContent?.replace(/^.* : /, ""));
  await user.selectOptions(await screen.findByLabelText("Order by"), "Published");
  await waitFor(() =>
    expect(titles("Published")).toEqual(["Newest", "Tied one", "Tied two", "Old"]),
  );
  expect(titles("Drafts")).toEqual(["Zither", "Anvil"]);
});

test("shows forty ideas a few at a time", async () => {
  signedIn();
  const ideas = Array.from({ length: 40 }, (_, index) => aListedIdea({ id: index + 1 }));
  respondWith("get", "/api/ideas", 200, ideas);
  const { user } = await openDashboard();
  const cards = () => column("Drafts").getAllByRole("listitem").length;
  await waitFor(() => expect(cards()).toBe(6));
  await user.click(column("Drafts").getByRole("button", { name: /^Show more/ }));
  expect(cards()).toBe(12);
});

test("deletes an image after confirmation, and shows why one cannot be deleted", async () => {
  signedIn();
  respondWith("get", "/api/ideas", 200, []);
  respondWith("get", "/api/assets", 200, [asset("f1", "boat.png")]);
  const reason = "“Boat” still shows this image, now or in an earlier revision.";
  respondWith("delete", "/api/assets/f1", 409, { message: reason });
  const { user } = await openDashboard();
  const remove = async () => {
    await user.click(await screen.findByRole("button", { name: "Delete boat.png" }));
    const dialog = await screen.findByRole("alertdialog", { name: "Delete this image?" });
    await user.click(within(dialog).getByRole("button", { name: "Delete" }));
  };
  await remove();
  expect(await screen.findByText(reason)).toBeVisible();
  respondWith("delete", "/api/assets/f1", 204);
  respondWith("get", "/api/assets", 200, []);
  await remove();
  expect(await screen.findByText("No assets uploaded yet")).toBeVisible();
});

test("warns from 80 percent on that the storage is nearly full", async () => {
  signedIn();
  respondWith("get", "/api/ideas", 200, []);
  respondWith("get", "/api/profile/storage", 200, { usedBytes: 1.62e9, quotaBytes: 2e9 });
  await openDashboard();
  expect(await screen.findByText(/1\.6 GB of 2 GB are used\./)).toBeVisible();
});
