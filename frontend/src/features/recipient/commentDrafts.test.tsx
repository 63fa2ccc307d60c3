import { act, cleanup, configure, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { SharedIdea } from "@/api/generated";
import { commentDraftsCleared } from "@/store/commentDraftsSlice";
import { RECIPIENT_DRAFTS_KEY, removeLocalDrafts } from "@/store/localDrafts";
import { deferResponse, respondWith } from "@/testing/api";
import { renderRoute } from "@/testing/render";
import { aComment, anEndedVisit, aRecipient, aSharedIdea } from "./testing/fixtures";
import { refreshVisit } from "./visit";

configure({ reactStrictMode: true });

const LINK = "/api/share/tok";
const TEXT = "Half a thought";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

async function openDocument(shared: SharedIdea = aSharedIdea("open")) {
  respondWith("get", LINK, 200, shared);
  respondWith("get", "/api/comments", 200, []);
  const app = renderRoute("/document/tok");
  const field = await screen.findByLabelText("Add a comment");
  const send = () => app.user.click(screen.getByRole("button", { name: "Send" }));
  return { ...app, field, send };
}

async function write() {
  const app = await openDocument();
  await app.user.type(app.field, TEXT);
  return app;
}

const isStored = () => JSON.stringify({ ...sessionStorage }).includes(TEXT);

test("a reload gives a comment back that was not sent yet", async () => {
  await write();
  cleanup();
  await openDocument();
  await waitFor(() => expect(screen.getByLabelText("Add a comment")).toHaveValue(TEXT));
  expect(JSON.stringify({ ...localStorage })).not.toContain(TEXT);
});

test("a comment that was sent is not kept", async () => {
  const { send, field } = await write();
  expect(isStored()).toBe(true);
  respondWith("post", "/api/comments", 201, aComment({ content: TEXT }));
  await send();
  await waitFor(() => expect(field).toHaveValue(""));
  expect(isStored()).toBe(false);
});

test("the end of access leaves the text on the screen, to be copied, and nowhere else", async () => {
  const { send } = await write();
  respondWith("post", "/api/comments", 404, { message: "Not found" });
  await send();
  expect(await screen.findByText("Your comment was not sent")).toBeVisible();
  expect(screen.getByText(TEXT)).toBeVisible();
  expect(isStored()).toBe(false);
});

test("a reload after the link was revoked shows the text once more, and keeps it no longer", async () => {
  await write();
  cleanup();
  respondWith("get", LINK, 404, { message: "Not found" });
  renderRoute("/document/tok");
  expect(await screen.findByText("Your comment was not sent")).toBeVisible();
  expect(screen.getByText(TEXT)).toBeVisible();
  expect(isStored()).toBe(false);
});

test("a reload without a connection keeps the text for the next one", async () => {
  await write();
  cleanup();
  respondWith("get", LINK, 503, { message: "busy" });
  renderRoute("/document/tok");
  await screen.findByRole("button", { name: "Try Again" });
  expect(isStored()).toBe(true);
});

test("another registration does not get the text of the reader before", async () => {
  await write();
  cleanup();
  const recipient = aRecipient({ id: "22222222-2222-4222-8222-222222222222", agreedToNda: true });
  const { field } = await openDocument(aSharedIdea("open", { recipient }));
  await waitFor(() => expect(isStored()).toBe(false));
  expect(field).toHaveValue("");
});

test("the text goes once the link asks for details again", async () => {
  const { store } = await write();
  respondWith("get", LINK, 200, aSharedIdea("collect"));
  await act(() => store.dispatch(refreshVisit("tok")));
  expect(isStored()).toBe(false);
});

test("closing the document discards the text", async () => {
  const { user } = await write();
  respondWith("post", `${LINK}/close`, 204);
  await user.click(await screen.findByRole("button", { name: "Close" }));
  respondWith("get", LINK, 410, anEndedVisit("closed"));
  await user.click(await screen.findByRole("button", { name: "Close document" }));
  await screen.findByText("Your visit has ended");
  expect(isStored()).toBe(false);
});

test("a logout discards the text, with the page that holds it and without", async () => {
  const { store } = await write();
  act(() => void store.dispatch(commentDraftsCleared()));
  expect(isStored()).toBe(false);
  sessionStorage.setItem(RECIPIENT_DRAFTS_KEY, TEXT);
  removeLocalDrafts("somebody");
  expect(isStored()).toBe(false);
});

test("a comment that is sent after the page was left is not given back", async () => {
  const { send, router } = await write();
  const { calls, release } = deferResponse("post", "/api/comments");
  await send();
  await waitFor(() => expect(calls).toHaveLength(1));
  await router.navigate("/about");
  await screen.findByRole("heading", { level: 1, name: "About Us" });
  expect(isStored()).toBe(true);
  release(201, aComment({ content: TEXT }));
  await waitFor(() => expect(isStored()).toBe(false));
});

test("stored text that cannot be read does not keep the document from opening", async () => {
  sessionStorage.setItem(RECIPIENT_DRAFTS_KEY, "{");
  const { field } = await openDocument();
  expect(field).toHaveValue("");
});
