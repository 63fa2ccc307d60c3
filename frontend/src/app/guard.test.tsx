import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { answer, hang, signedIn, signedOut } from "@/testing/api";
import { aUser } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";

test("says that access is being verified while the server has not answered", async () => {
  hang("get", "/api/auth/me");
  renderRoute("/dashboard");
  expect(await screen.findByText("Verifying access...")).toBeVisible();
});

test("sends a stranger to the login screen and forgets the stored user", async () => {
  localStorage.setItem("currentUser", JSON.stringify(aUser()));
  signedOut();
  const { path } = renderRoute("/dashboard");
  await waitFor(() => expect(path()).toBe("/login"));
  expect(localStorage.getItem("currentUser")).toBeNull();
});

test("stores the user the server confirms", async () => {
  signedIn();
  answer("get", "/api/ideas", 200, []);
  renderRoute("/dashboard");
  expect(await screen.findByRole("heading", { name: "Idea Portfolio" })).toBeVisible();
  expect(JSON.parse(localStorage.getItem("currentUser") ?? "null")).toEqual(aUser());
});

test("asks again on the next navigation", async () => {
  const calls = signedIn();
  answer("get", "/api/ideas", 200, []);
  const { router, path } = renderRoute("/dashboard");
  await screen.findByRole("heading", { name: "Idea Portfolio" });
  expect(calls).toHaveLength(1);
  signedOut();
  await router.navigate("/profile");
  expect(path()).toBe("/login");
});
