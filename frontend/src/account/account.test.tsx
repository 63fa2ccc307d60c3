import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { answer, signedIn, signedOut } from "@/testing/api";
import { aUser } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";

const store = () => localStorage.setItem("currentUser", JSON.stringify(aUser()));

function answerLists() {
  answer("get", "/api/ideas", 200, []);
  answer("get", "/api/assets", 200, []);
}

test.each(["/", "/about", "/no-such-page"])(
  "shows a signed-in creator the way back on %s",
  async (path) => {
    store();
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
  "asks nothing for a visitor on %s",
  async (path) => {
    const calls = signedIn();
    renderRoute(path);
    await screen.findByRole("heading", { level: 1 });
    expect(calls).toEqual([]);
    expect(screen.queryByRole("button", { name: "Account" })).not.toBeInTheDocument();
  },
);

test("offers the login again once the server knows the session no more", async () => {
  store();
  signedOut();
  renderRoute("/");
  expect(await screen.findByRole("link", { name: "Login" })).toBeVisible();
  expect(localStorage.getItem("currentUser")).toBeNull();
});

test("keeps the stored user while the server cannot be asked", async () => {
  store();
  const calls = answer("get", "/api/auth/me", 503, { message: "Not now." });
  renderRoute("/about");
  await screen.findByRole("button", { name: "Account" });
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(localStorage.getItem("currentUser")).not.toBeNull();
});

test.each(["/login", "/register"])(
  "%s sends a signed-in creator to the dashboard",
  async (path) => {
    store();
    signedIn();
    answerLists();
    const app = renderRoute(path);
    expect(await screen.findByRole("heading", { name: "Idea Portfolio" })).toBeVisible();
    expect(app.path()).toBe("/dashboard");
  },
);

test("the login screen sends a signed-in creator to the page that was wanted", async () => {
  store();
  signedIn();
  sessionStorage.setItem("returnTo", "http://localhost:3000/profile");
  answer("get", "/api/auth/sessions", 200, []);
  const app = renderRoute("/login");
  await waitFor(() => expect(app.path()).toBe("/profile"));
  expect(sessionStorage.getItem("returnTo")).toBeNull();
});

test("the login screen shows its form to somebody whose session has ended", async () => {
  store();
  signedOut();
  const app = renderRoute("/login");
  expect(await screen.findByRole("button", { name: "Sign in" })).toBeVisible();
  expect(app.path()).toBe("/login");
});

test("logs out from a public page", async () => {
  store();
  signedIn();
  const calls = answer("post", "/api/auth/logout", 200, { success: true });
  const app = renderRoute("/about");
  await screen.findByRole("heading", { name: "About Us" });
  await app.user.click(await screen.findByRole("button", { name: "Account" }));
  await app.user.click(await screen.findByRole("menuitem", { name: "Log Out" }));
  await waitFor(() => expect(app.path()).toBe("/login"));
  expect(calls.map(({ body }) => body)).toEqual([{}]);
  expect(localStorage.getItem("currentUser")).toBeNull();
});
