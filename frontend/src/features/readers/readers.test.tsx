import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { Reader } from "@/api/generated";
import { respondWith, signedIn } from "@/testing/api";
import { aListedIdea } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";

const aReader = (over: Partial<Reader> = {}): Reader => ({
  recipientId: "7e0a4c0e-1111-4222-8333-444455556666",
  ideaId: 7,
  ideaTitle: "A kettle that waits",
  documentId: null,
  shareId: "7e0a4c0e-1111-4222-8333-444455557777",
  shareType: "full-access",
  shareName: "Investors",
  name: "Grace Hopper",
  email: "grace@example.org",
  identity: "emailConfirmed",
  registeredAt: "2026-05-01T10:00:00.000000Z",
  acceptedAt: "2026-05-01T10:01:00.000000Z",
  agreement: { version: "1.1", sha256: "0".repeat(64) },
  acceptedVersion: 1,
  versions: [{ number: 2, sha256: "ab".repeat(32), firstOpenedAt: "2026-05-02T10:00:00.000000Z" }],
  views: 3,
  firstOpenedAt: "2026-05-02T10:00:00.000000Z",
  lastOpenedAt: "2026-05-04T10:00:00.000000Z",
  downloads: 1,
  comments: 0,
  state: "opened",
  receipt: true,
  ...over,
});

const serve = (readers: Reader[], next: string | null = null, total = readers.length) =>
  respondWith("get", "/api/readers", 200, { readers, total, next });

beforeEach(() => {
  signedIn();
  respondWith("get", "/api/ideas", 200, [aListedIdea({ id: 7, title: "A kettle that waits" })]);
  respondWith("get", "/api/ideas/7/shares", 200, []);
});

/** What a call asked for. */
const asked = (calls: { url: URL }[]) => Object.fromEntries(calls.at(-1)?.url.searchParams ?? []);

test("shows who opened which version of what, and when", async () => {
  serve([aReader()]);
  renderRoute("/readers");
  expect(await screen.findByText("1 reader")).toBeVisible();
  const row = within(screen.getAllByRole("row")[1] as HTMLElement);
  expect(row.getByRole("rowheader")).toHaveTextContent(
    "Grace Hoppergrace@example.orgAddress confirmed by a code",
  );
  expect(row.getByRole("link", { name: "A kettle that waits" })).toHaveAttribute(
    "href",
    "/readers/7",
  );
  expect(row.getByText("Investors (Full access)")).toBeVisible();
  expect(row.getByText(/Accepted agreement 1.1 for version 1/)).toBeVisible();
  expect(row.getByText(/Version 2/)).toBeVisible();
  expect(row.getByText("abababababab")).toHaveAttribute("title", `SHA-256 ${"ab".repeat(32)}`);
  expect(row.getByText("3 views, 1 download")).toBeVisible();
  expect(row.getByText("Opened")).toBeVisible();
  expect(row.getByRole("link", { name: "Receipt of Grace Hopper" })).toHaveAttribute(
    "href",
    "/api/recipients/7e0a4c0e-1111-4222-8333-444455556666/receipt.pdf",
  );
});

test("puts what is looked for into the address, and asks for it", async () => {
  const calls = serve([aReader()]);
  const { user, router } = renderRoute("/readers/7");
  await screen.findByText("1 reader");
  expect(asked(calls)).toEqual({ ideaId: "7", limit: "100" });
  await user.type(screen.getByLabelText("Version"), "2");
  await user.selectOptions(screen.getByLabelText("State"), "Opened");
  await user.type(screen.getByLabelText("First opened up to (UTC)"), "2026-05-02");
  await user.click(screen.getByRole("button", { name: "Show readers" }));
  await waitFor(() =>
    expect(router.state.location.search).toBe("?version=2&state=opened&to=2026-05-02"),
  );
  const wanted = { ideaId: "7", version: "2", state: "opened", to: "2026-05-02" };
  await waitFor(() => expect(asked(calls)).toEqual({ ...wanted, limit: "100" }));
  const csv = await screen.findByRole("link", { name: "CSV" });
  expect(Object.fromEntries(new URL((csv as HTMLAnchorElement).href).searchParams)).toEqual({
    ...wanted,
    format: "csv",
  });
  await user.click(screen.getByRole("button", { name: "Clear" }));
  await waitFor(() => expect(router.state.location.search).toBe(""));
  await waitFor(() => expect(screen.getByLabelText("Version")).toHaveValue(null));
});

test("looks for a link of the chosen idea only", async () => {
  const calls = serve([aReader()]);
  const shareId = "7e0a4c0e-1111-4222-8333-444455557777";
  const { user } = renderRoute(`/readers?ideaId=7&shareId=${shareId}`);
  await screen.findByText("1 reader");
  expect(asked(calls)).toEqual({ ideaId: "7", shareId, limit: "100" });
  await user.selectOptions(screen.getByLabelText("Idea"), "All");
  await user.click(screen.getByRole("button", { name: "Show readers" }));
  await waitFor(() => expect(asked(calls)).toEqual({ limit: "100" }));
});

test("takes what is looked for from the address", async () => {
  const calls = serve([]);
  renderRoute("/readers?q=grace&ideaId=7&sort=name");
  expect(await screen.findByText("No reader matches")).toBeVisible();
  expect(asked(calls)).toEqual({ q: "grace", ideaId: "7", sort: "name", limit: "100" });
  expect(screen.getByLabelText("Name or email")).toHaveValue("grace");
  await waitFor(() => expect(screen.getByLabelText("Idea")).toHaveValue("7"));
  expect(screen.getByLabelText("Order by")).toHaveValue("name");
});

test("says where readers will appear", async () => {
  serve([]);
  renderRoute("/readers/7");
  expect(await screen.findByText("Nobody has registered on a link yet")).toBeVisible();
});

test("says that there is no such idea, unless a deleted one has readers", async () => {
  serve([]);
  const { path } = renderRoute("/readers/8");
  await waitFor(() => expect(path()).toBe("/dashboard"));
  serve([aReader({ ideaId: 9 })]);
  renderRoute("/readers/9");
  expect(await screen.findByText("Grace Hopper")).toBeVisible();
  expect(screen.queryByRole("navigation", { name: "Idea" })).not.toBeInTheDocument();
});

test("leads from one page of an idea to the others", async () => {
  serve([]);
  renderRoute("/readers/7");
  const tabs = within(await screen.findByRole("navigation", { name: "Idea" }));
  const links = tabs.getAllByRole("link");
  expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
    ["Text", "/editor/7"],
    ["Share", "/share/7"],
    ["Readers", "/readers/7"],
    ["Evidence", "/evidence/7"],
  ]);
  expect(tabs.getByRole("link", { current: "page" })).toHaveTextContent("Readers");
  expect(screen.getByText("Draft")).toBeVisible();
});

test("shows a reader who was erased without a name", async () => {
  serve([aReader({ name: null, email: null, state: "erased", receipt: false })]);
  renderRoute("/readers");
  expect(await screen.findByText("An erased person")).toBeVisible();
  expect(screen.queryByText("Receipt")).not.toBeInTheDocument();
});

test("loads further readers on request", async () => {
  serve([aReader()], "more", 2);
  const { user } = renderRoute("/readers");
  expect(await screen.findByText("2 readers")).toBeVisible();
  const calls = serve([aReader({ recipientId: "b", name: "Peter Smith" })], null, 2);
  await user.click(screen.getByRole("button", { name: "Show more readers" }));
  expect(await screen.findByText("Peter Smith")).toBeVisible();
  expect(asked(calls)).toEqual({ limit: "100", cursor: "more" });
  expect(screen.getByText("Grace Hopper")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Show more readers" })).not.toBeInTheDocument();
});

test("says what the server refuses, and tries again", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const message = "There are more than 20000 readers to look through. Please choose one idea.";
  respondWith("get", "/api/readers", 413, { message });
  const { user } = renderRoute("/readers");
  expect(await screen.findByText(message)).toBeVisible();
  serve([aReader()]);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Grace Hopper")).toBeVisible();
});
