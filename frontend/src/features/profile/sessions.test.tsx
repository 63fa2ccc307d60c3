import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { deferResponse, neverRespond, respondWith, signedIn } from "@/testing/api";
import { aSession } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";

const here = aSession({ id: "11111111-1111-4111-8111-111111111111", current: true });
const phone = aSession({
  id: "22222222-2222-4222-8222-222222222222",
  ip: "198.51.100.7",
  browser: "Safari on iOS",
});

const region = () => screen.findByRole("region", { name: "Where you are signed in" });

async function openSessions(sessions: object) {
  signedIn();
  const calls = respondWith("get", "/api/auth/sessions", 200, sessions);
  const app = renderRoute("/profile");
  return { ...app, calls, section: within(await region()) };
}

test("shows that the sessions are loading", async () => {
  signedIn();
  neverRespond("get", "/api/auth/sessions");
  renderRoute("/profile");
  expect(await within(await region()).findByRole("status")).toHaveTextContent("Loading...");
});

test("lists the sessions, and which one this is", async () => {
  const { section } = await openSessions([here, phone]);
  const [first, second] = await section.findAllByRole("listitem");
  expect(first).toHaveTextContent("Firefox on Linux");
  expect(first).toHaveTextContent("This browser");
  expect(within(first as HTMLElement).queryByRole("button")).not.toBeInTheDocument();
  expect(second).toHaveTextContent("Safari on iOS");
  expect(second).toHaveTextContent("from 198.51.100.7");
  expect(second).not.toHaveTextContent("This browser");
});

test("puts this browser first, which is active now", async () => {
  const { section } = await openSessions([phone, here]);
  const [first, second] = await section.findAllByRole("listitem");
  expect(first).toHaveTextContent("This browser");
  expect(first).toHaveTextContent("Active now");
  expect(first).not.toHaveTextContent("Last seen");
  expect(second).toHaveTextContent("Safari on iOS");
  expect(second).toHaveTextContent("Last seen Nov 20, 2026");
});

test("has nothing to end when the account is signed in only here", async () => {
  const { section } = await openSessions([here]);
  await section.findByText("This browser");
  expect(section.queryByRole("button")).not.toBeInTheDocument();
});

test("shows when there are no sessions", async () => {
  const { section } = await openSessions([]);
  expect(await section.findByText("No sessions to show")).toBeVisible();
});

test("signs another browser out, and reloads the list", async () => {
  const { user, section, calls } = await openSessions([here, phone]);
  const ended = respondWith("delete", `/api/auth/sessions/${phone.id}`, 204);
  const button = await section.findByRole("button", { name: /^Sign out\s*Safari on iOS/ });
  respondWith("get", "/api/auth/sessions", 200, [here]);
  await user.click(button);
  expect(await screen.findByText("That browser is signed out.")).toBeVisible();
  await waitFor(() => expect(section.getAllByRole("listitem")).toHaveLength(1));
  expect(ended).toHaveLength(1);
  expect(calls).toHaveLength(1);
});

test("leaves the focus of somebody who went on writing while a browser was signed out", async () => {
  const { user, section } = await openSessions([here, phone]);
  const { calls, release } = deferResponse("delete", `/api/auth/sessions/${phone.id}`);
  await user.click(await section.findByRole("button", { name: /^Sign out\s*Safari on iOS/ }));
  await waitFor(() => expect(calls).toHaveLength(1));
  const name = screen.getByLabelText("Name");
  await user.click(name);
  release(200, {});
  expect(await screen.findByText("That browser is signed out.")).toBeVisible();
  expect(name).toHaveFocus();
});

test("signs out everywhere else", async () => {
  const { user, section } = await openSessions([here, phone]);
  const ended = respondWith("delete", "/api/auth/sessions", 204);
  const button = await section.findByRole("button", { name: "Sign out everywhere else" });
  respondWith("get", "/api/auth/sessions", 200, [here]);
  await user.click(button);
  expect(await screen.findByText("You are signed out everywhere else.")).toBeVisible();
  await waitFor(() => expect(button).not.toBeInTheDocument());
  expect(ended).toHaveLength(1);
});

test("takes a session that is gone already for ended", async () => {
  const { user, section } = await openSessions([here, phone]);
  respondWith("delete", `/api/auth/sessions/${phone.id}`, 404, { message: "Not found" });
  const button = await section.findByRole("button", { name: /^Sign out\s*Safari on iOS/ });
  respondWith("get", "/api/auth/sessions", 200, [here]);
  await user.click(button);
  expect(await screen.findByText("That browser is signed out.")).toBeVisible();
});

test("keeps the list when a session could not be ended", async () => {
  const { user, section } = await openSessions([here, phone]);
  respondWith("delete", "/api/auth/sessions", 503, { message: "The database is away." });
  await user.click(await section.findByRole("button", { name: "Sign out everywhere else" }));
  expect(await screen.findByText("That did not work. Please try again.")).toBeVisible();
  expect(section.getAllByRole("listitem")).toHaveLength(2);
});

test("offers to try again when the sessions cannot be loaded", async () => {
  signedIn();
  respondWith("get", "/api/auth/sessions", 503, { message: "The database is away." });
  const { user } = renderRoute("/profile");
  const section = within(await region());
  expect(await section.findByRole("alert")).toHaveTextContent("Your sessions could not be loaded.");
  respondWith("get", "/api/auth/sessions", 200, [here]);
  await user.click(section.getByRole("button", { name: "Try again" }));
  expect(await section.findByText("This browser")).toBeVisible();
});
