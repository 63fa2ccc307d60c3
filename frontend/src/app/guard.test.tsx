import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test, vi } from "vitest";
import { aSharedIdea } from "@/features/recipient/testing/fixtures";
import { neverRespond, respondWith, signedIn, signedOut } from "@/testing/api";
import { aComment, aListedIdea, anIdea, aUser } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { server } from "@/testing/server";

test("shows that access is being verified until the server responds", async () => {
  neverRespond("get", "/api/auth/me");
  renderRoute("/dashboard");
  expect(await screen.findByText("Verifying access...")).toBeVisible();
});

test("redirects a visitor to the login screen and removes the stored user", async () => {
  localStorage.setItem("currentUser", JSON.stringify(aUser()));
  signedOut();
  const { path } = renderRoute("/dashboard");
  await waitFor(() => expect(path()).toBe("/login"));
  await waitFor(() => expect(localStorage.getItem("currentUser")).toBeNull());
});

test("a login leads to the requested page, once", async () => {
  signedOut();
  respondWith("post", "/api/auth/login", 200, { success: true, user: aUser() });
  const { user, path } = renderRoute("/profile");
  await user.type(await screen.findByLabelText("Email"), "ada@example.org");
  await user.type(screen.getByLabelText("Password"), "secret-ink");
  signedIn();
  await user.click(screen.getByRole("button", { name: "Sign in" }));
  await waitFor(() => expect(path()).toBe("/profile"));
  await waitFor(() => expect(sessionStorage).toHaveLength(0));
});

test("stores the user that the server sends", async () => {
  signedIn();
  respondWith("get", "/api/ideas", 200, []);
  renderRoute("/dashboard");
  expect(await screen.findByRole("heading", { name: "Idea Portfolio" })).toBeVisible();
  expect(JSON.parse(localStorage.getItem("currentUser") ?? "null")).toEqual(aUser());
});

test("checks again on the next navigation", async () => {
  const calls = signedIn();
  respondWith("get", "/api/ideas", 200, []);
  const { router, path } = renderRoute("/dashboard");
  await screen.findByRole("heading", { name: "Idea Portfolio" });
  expect(calls).toHaveLength(1);
  signedOut();
  await router.navigate("/profile");
  await waitFor(() => expect(path()).toBe("/login"));
});

test("signs nobody out whose navigations overlap", async () => {
  signedIn();
  const { router, path } = renderRoute("/dashboard");
  await router.navigate("/profile");
  expect(await screen.findByRole("heading", { name: "Profile" })).toBeVisible();
  expect(path()).toBe("/profile");
  expect(JSON.parse(localStorage.getItem("currentUser") ?? "null")).toEqual(aUser());
});

test("does not show one user's cached ideas to the next user", async () => {
  signedIn();
  respondWith("get", "/api/ideas", 200, [aListedIdea({ title: "Ada's secret" })]);
  const { router } = renderRoute("/dashboard");
  await screen.findByRole("link", { name: /: Ada's secret$/ });
  signedOut();
  await router.navigate("/profile");
  signedIn(aUser({ id: "0c2b7d10-1111-4111-8111-111111111111", name: "Eve" }));
  const asked = neverRespond("get", "/api/ideas");
  await router.navigate("/dashboard");
  expect(await screen.findByText("Hi Eve")).toBeVisible();
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(screen.queryByText(/Ada's secret/)).not.toBeInTheDocument();
});

test("does not show one user's cached ideas to the user who signs in next", async () => {
  const eve = aUser({ id: "0c2b7d10-1111-4111-8111-111111111111", name: "Eve" });
  signedIn();
  respondWith("get", "/api/ideas", 200, [aListedIdea({ title: "Ada's secret" })]);
  respondWith("post", "/api/auth/logout", 200, { success: true });
  respondWith("post", "/api/auth/login", 200, { success: true, user: eve });
  const { user } = renderRoute("/dashboard");
  await screen.findByRole("link", { name: /: Ada's secret$/ });
  await user.click(await screen.findByRole("button", { name: "Account" }));
  await user.click(await screen.findByRole("menuitem", { name: "Log Out" }));
  signedIn(eve);
  const asked = neverRespond("get", "/api/ideas");
  await user.type(await screen.findByLabelText("Email"), "eve@example.org");
  await user.type(screen.getByLabelText("Password"), "secret-ink");
  await user.click(screen.getByRole("button", { name: "Sign in" }));
  expect(await screen.findByText("Hi Eve")).toBeVisible();
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(screen.queryByText(/Ada's secret/)).not.toBeInTheDocument();
});

test("does not show an owner the cached comments of a recipient", async () => {
  signedIn();
  respondWith("get", "/api/ideas", 200, []);
  const { router } = renderRoute("/dashboard");
  await screen.findByText("No drafts yet");
  respondWith("get", "/api/shares/by-token/tok", 200, { id: null });
  respondWith("get", "/api/share/tok", 200, aSharedIdea("open"));
  respondWith("get", "/api/comments", 200, [aComment({ content: "On this link" })]);
  await router.navigate("/document/tok");
  await screen.findByText("On this link");
  respondWith("get", "/api/ideas/7", 200, anIdea());
  respondWith("get", "/api/ideas/7/shares", 200, []);
  respondWith("get", "/api/ideas/7/activity", 200, []);
  const asked = neverRespond("get", "/api/comments");
  await router.navigate("/share/7");
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(screen.queryByText("On this link")).not.toBeInTheDocument();
});

test("fetches nothing more once logged out", async () => {
  signedIn();
  const lists = respondWith("get", "/api/ideas", 200, []);
  respondWith("post", "/api/auth/logout", 200, { success: true });
  const { user } = renderRoute("/dashboard");
  await screen.findByText("No drafts yet");
  await user.click(await screen.findByRole("button", { name: "Account" }));
  await user.click(await screen.findByRole("menuitem", { name: "Log Out" }));
  await screen.findByText("You have been successfully logged out.");
  expect(lists).toHaveLength(1);
});

test("without a connection, says so and opens the screen once there is one", async () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  server.use(http.get("*/api/auth/me", () => HttpResponse.error()));
  const listen = vi.spyOn(window, "addEventListener");
  renderRoute("/dashboard");
  expect(await screen.findByRole("heading", { name: "You are offline" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Reload page" })).not.toBeInTheDocument();
  await waitFor(() => expect(listen).toHaveBeenCalledWith("online", expect.any(Function)));
});
