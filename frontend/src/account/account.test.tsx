import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { respondWith, signedIn, signedOut } from "@/testing/api";
import { aUser } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";

const storeUser = () => localStorage.setItem("currentUser", JSON.stringify(aUser()));

function answerLists() {
  respondWith("get", "/api/ideas", 200, []);
  respondWith("get", "/api/assets", 200, []);
}

test.each(["/", "/about", "/no-such-page"])(
  "shows a signed-in creator the way back on %s",
  async (path) => {
    storeUser();
    const calls = signedIn();
    renderRoute(path);
    expect(await screen.findByRole("button", { name: "Account" })).toBeVisible();
    expect(screen.getByText("Hi Ada")).toBeVisible();
    expect(screen.getByRole("link", { name: "Dashboard" })).toHaveAttribute("href", "/dashboard");
    expect(screen.queryByRole("link", { name: "Login" })).not.toBeInTheDocument();
    await waitFor(() => expect(calls).toHaveLength(1));
  },
);

test.each(["/", "/about", "/login", "/register"])(
  "sends no request for a visitor on %s",
  async (path) => {
    const calls = signedIn();
    renderRoute(path);
    await screen.findByRole("heading", { level: 1 });
    expect(calls).toEqual([]);
    expect(screen.queryByRole("button", { name: "Account" })).not.toBeInTheDocument();
  },
);

test("offers the login again once the session has expired", async () => {
  storeUser();
  signedOut();
  renderRoute("/");
  expect(await screen.findByRole("link", { name: "Login" })).toBeVisible();
  expect(localStorage.getItem("currentUser")).toBeNull();
});

test("keeps the stored user while the server cannot be reached", async () => {
  storeUser();
  const calls = respondWith("get", "/api/auth/me", 503, { message: "Not now." });
  renderRoute("/about");
  await screen.findByRole("button", { name: "Account" });
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(localStorage.getItem("currentUser")).not.toBeNull();
});

test.each(["/login", "/register"])(
  "%s sends a signed-in creator to the dashboard",
  async (path) => {
    storeUser();
    signedIn();
    answerLists();
    const app = renderRoute(path);
    expect(await screen.findByRole("heading", { name: "Idea Portfolio" })).toBeVisible();
    expect(app.path()).toBe("/dashboard");
  },
);

test("the login screen redirects a signed-in creator to the requested page", async () => {
  storeUser();
  signedIn();
  sessionStorage.setItem("returnTo", "http://localhost:3000/profile");
  respondWith("get", "/api/auth/sessions", 200, []);
  const app = renderRoute("/login");
  await waitFor(() => expect(app.path()).toBe("/profile"));
  expect(sessionStorage.getItem("returnTo")).toBeNull();
});

test("the login screen shows its form once the session has expired", async () => {
  storeUser();
  signedOut();
  const app = renderRoute("/login");
  expect(await screen.findByRole("button", { name: "Sign in" })).toBeVisible();
  expect(app.path()).toBe("/login");
});

test("logs out from a public page", async () => {
  storeUser();
  signedIn();
  const calls = respondWith("post", "/api/auth/logout", 200, { success: true });
  const app = renderRoute("/about");
  await screen.findByRole("heading", { name: "About Us" });
  await app.user.click(await screen.findByRole("button", { name: "Account" }));
  await app.user.click(await screen.findByRole("menuitem", { name: "Log Out" }));
  await waitFor(() => expect(app.path()).toBe("/login"));
  expect(calls.map(({ body }) => body)).toEqual([{}]);
  expect(localStorage.getItem("currentUser")).toBeNull();
});
