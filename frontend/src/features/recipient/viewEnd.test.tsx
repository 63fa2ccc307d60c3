import { configure, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SharedIdea } from "@/api/generated";
import { send } from "@/api/http";
import { deferResponse, respondWith } from "@/testing/api";
import { renderRoute } from "@/testing/render";
import { deferTimers } from "@/testing/timers";
import { aComment, anEndedVisit, aSharedIdea } from "./testing/fixtures";

configure({ reactStrictMode: true });

const LINK = "/api/share/tok";
const ENDED = "Your visit has ended";
const VIEW_MS = 30 * 60_000;
const LOOK_MS = 10_000;
const RECHECK_MS = 30_000;

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  // Fake clock: each test decides when the half hour of a view is over.
  vi.useFakeTimers({ toFake: ["Date"] });
});

afterEach(() => vi.useRealTimers());

async function openDocument(over: Partial<Omit<SharedIdea, "idea">> = {}) {
  const timers = deferTimers(LOOK_MS, RECHECK_MS);
  const lookups = respondWith("get", LINK, 200, aSharedIdea("open", over));
  const lists = respondWith("get", "/api/comments", 200, []);
  const app = renderRoute("/document/tok");
  await screen.findByText("Water wicks up.");
  await screen.findByText("No comments yet");
  const end = async () => {
    await waitFor(() => expect(timers.count(LOOK_MS)).toBe(1));
    vi.setSystemTime(Date.now() + VIEW_MS + 1000);
    await timers.release(LOOK_MS);
  };
  return { ...app, timers, lookups, lists, end };
}

/** Whether a look-up may open a view, which takes the cookies of the recipient. */
const opens = ({ credentials }: { credentials: RequestCredentials }) => credentials === "include";

type App = Awaited<ReturnType<typeof openDocument>>;

async function goAway({ router }: Pick<App, "router">) {
  await router.navigate("/about");
  await screen.findByRole("heading", { level: 1, name: "About Us" });
}

test("removes the document when its time is over, and can open it again", async () => {
  const { user, lookups, end } = await openDocument();
  await end();
  expect(await screen.findByText(/This document was closed on/)).toBeVisible();
  expect(screen.queryByText("Water wicks up.")).not.toBeInTheDocument();
  expect(lookups.filter(opens)).toHaveLength(1);
  respondWith("post", `${LINK}/reopen`, 204);
  respondWith("get", LINK, 200, aSharedIdea("open"));
  await user.click(screen.getByRole("button", { name: "Open Again" }));
  expect(await screen.findByText("Water wicks up.")).toBeVisible();
});

test("keeps no comments in memory when its time is over", async () => {
  const timers = deferTimers(LOOK_MS, RECHECK_MS);
  respondWith("get", LINK, 200, aSharedIdea("open"));
  respondWith("get", "/api/comments", 200, [aComment({ content: "Which clay?" })]);
  const { store } = renderRoute("/document/tok");
  await screen.findByText("Which clay?");
  const kept = () => JSON.stringify(store.getState());
  expect(kept()).toContain("Which clay?");
  await waitFor(() => expect(timers.count(LOOK_MS)).toBe(1));
  vi.setSystemTime(Date.now() + VIEW_MS + 1000);
  await timers.release(LOOK_MS);
  await screen.findByText(ENDED);
  expect(kept()).not.toContain("Which clay?");
});

test("looks at the clock again before the time is over", async () => {
  const { timers } = await openDocument();
  await waitFor(() => expect(timers.count(LOOK_MS)).toBe(1));
  vi.setSystemTime(Date.now() + LOOK_MS);
  await timers.release(LOOK_MS);
  await waitFor(() => expect(timers.count(LOOK_MS)).toBe(1));
  expect(screen.getByText("Water wicks up.")).toBeVisible();
});

test.each([
  ["becomes visible", () => document.dispatchEvent(new Event("visibilitychange"))],
  ["is shown again by the browser", () => window.dispatchEvent(new Event("pageshow"))],
])("removes the document when the page %s after its time", async (_, comesBack) => {
  const { timers } = await openDocument();
  await waitFor(() => expect(timers.count(LOOK_MS)).toBe(1));
  // No timer has run while the computer slept.
  vi.setSystemTime(Date.now() + VIEW_MS + 1000);
  comesBack();
  expect(await screen.findByText(ENDED)).toBeVisible();
  expect(screen.queryByText("Water wicks up.")).not.toBeInTheDocument();
});

test("does not offer to open a link again that has ended itself", async () => {
  const { lookups, end } = await openDocument();
  const peeks = respondWith("get", LINK, 404, { message: "Not found" });
  await end();
  expect(await screen.findByText(/the link cannot be opened again/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Open Again" })).not.toBeInTheDocument();
  expect(lookups).toHaveLength(1);
  expect(peeks).toHaveLength(1);
  expect(peeks.filter(opens)).toHaveLength(0);
});

test("keeps a one-time document while the server still permits it", async () => {
  const { lists, end, timers } = await openDocument({ shareType: "one-time" });
  const before = lists.length;
  await end();
  await waitFor(() => expect(lists.length).toBeGreaterThan(before));
  await waitFor(() => expect(timers.count(RECHECK_MS)).toBe(1));
  expect(await screen.findByText("Water wicks up.")).toBeVisible();
});

test("shows no document to a reader who comes back when its time is over", async () => {
  const app = await openDocument();
  await goAway(app);
  vi.setSystemTime(Date.now() + VIEW_MS + 1000);
  respondWith("get", "/api/comments", 404, { message: "Not found" });
  await app.router.navigate("/document/tok");
  expect(await screen.findByRole("button", { name: "Open Again" })).toBeVisible();
  expect(screen.queryByText("Water wicks up.")).not.toBeInTheDocument();
  expect(app.lookups.filter(opens)).toHaveLength(1);
});

test("checks a one-time document with the server when its reader comes back too late", async () => {
  const app = await openDocument({ shareType: "one-time" });
  await goAway(app);
  vi.setSystemTime(Date.now() + VIEW_MS + 1000);
  respondWith("get", "/api/comments", 404, { message: "Not found" });
  await app.router.navigate("/document/tok");
  expect(await screen.findByText(/the link cannot be opened again/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Open Again" })).not.toBeInTheDocument();
  expect(app.lookups.filter(opens)).toHaveLength(1);
});

test("reports that the time is over when a comment is refused for it", async () => {
  const { user } = await openDocument();
  respondWith("post", "/api/comments", 404, { message: "Not found" });
  await user.type(screen.getByLabelText("Add a comment"), "Clever");
  vi.setSystemTime(Date.now() + VIEW_MS + 1000);
  await user.click(screen.getByRole("button", { name: "Send" }));
  expect(await screen.findByRole("button", { name: "Open Again" })).toBeVisible();
});

test("keeps the unsent comment of a reader who opens the document again", async () => {
  const { user, end, router } = await openDocument();
  await user.type(screen.getByLabelText("Add a comment"), "Clever");
  await end();
  const again = await screen.findByRole("button", { name: "Open Again" });
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain("Clever");
  respondWith("post", `${LINK}/reopen`, 204);
  await user.click(again);
  expect(await screen.findByLabelText("Add a comment")).toHaveValue("Clever");

  const { calls, release } = deferResponse("post", "/api/comments");
  await user.click(screen.getByRole("button", { name: "Send" }));
  await waitFor(() => expect(calls).toHaveLength(1));
  await goAway({ router });
  const mine = aComment({ content: "Clever" });
  respondWith("get", "/api/comments", 200, [mine]);
  release(201, mine);
  await router.navigate("/document/tok");
  expect(await screen.findByText("Clever", { selector: "li *" })).toBeVisible();
  await waitFor(() => expect(screen.getByLabelText("Add a comment")).toHaveValue(""));
});

test("says that closing the document discards an unsent comment", async () => {
  const { user } = await openDocument();
  await user.type(screen.getByLabelText("Add a comment"), "Clever");
  respondWith("post", `${LINK}/close`, 204);
  await user.click(screen.getByRole("button", { name: "Close" }));
  const question = await screen.findByRole("alertdialog");
  expect(question).toHaveTextContent("Your comment was not sent, and will be lost.");
  respondWith("get", LINK, 410, anEndedVisit("closed"));
  await user.click(await screen.findByRole("button", { name: "Close document" }));
  expect(await screen.findByText(ENDED)).toBeVisible();
  expect(screen.queryByText("Clever")).not.toBeInTheDocument();
  respondWith("post", `${LINK}/reopen`, 204);
  respondWith("get", LINK, 200, aSharedIdea("open"));
  await user.click(screen.getByRole("button", { name: "Open Again" }));
  expect(await screen.findByLabelText("Add a comment")).toHaveValue("");
});

test("lets a reader go whose visit could not be closed", async () => {
  const { user } = await openDocument();
  respondWith("post", `${LINK}/close`, 503, {});
  await user.click(screen.getByRole("button", { name: "Close" }));
  await user.click(await screen.findByRole("button", { name: "Close document" }));
  expect(await screen.findByText("Your visit has ended.")).toBeVisible();
  expect(screen.queryByText("Water wicks up.")).not.toBeInTheDocument();
});

test.each([
  [4, true],
  [6, false],
])("a view that ends in %d minutes says so: %s", async (minutes, isSaid) => {
  await openDocument({ viewEndsAt: new Date(Date.now() + minutes * 60_000).toISOString() });
  expect(screen.queryByText(/This view ends at/) !== null).toBe(isSaid);
});

test("forgets a document that was left while it was closed, and leads nobody home", async () => {
  const { user, router, store } = await openDocument();
  const { calls, release } = deferResponse("post", `${LINK}/close`);
  await user.click(screen.getByRole("button", { name: "Close" }));
  await user.click(await screen.findByRole("button", { name: "Close document" }));
  await waitFor(() => expect(calls).toHaveLength(1));
  await goAway({ router });
  respondWith("get", LINK, 410, anEndedVisit("closed"));
  release(204, {});
  await waitFor(() => expect(store.getState().visit.current?.ended).toBeDefined());
  expect(router.state.location.pathname).toBe("/about");
});

test("keeps the document open when the local clock is fast", async () => {
  const viewEndsAt = new Date(Date.now() - 1000).toISOString();
  const app = await openDocument({ viewEndsAt });
  await goAway(app);
  await app.router.navigate("/document/tok");
  expect(await screen.findByText("Water wicks up.")).toBeVisible();
});

test("stops checking a document that was left during a check", async () => {
  const app = await openDocument({ shareType: "one-time" });
  const { calls, release } = deferResponse("get", "/api/comments");
  await app.end();
  await waitFor(() => expect(calls).toHaveLength(1));
  await goAway(app);
  release(200, []);
  // Requested later, and so answered later.
  await send({ url: "/api/comments" });
  // React may clean up the screen that was left after it shows the next one.
  await waitFor(() => expect(app.timers.count(RECHECK_MS)).toBe(0));
});
