import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { respondWith, signedIn, signedOut } from "@/testing/api";
import { aUser } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";

const DRAFTS = [`ideavault.draft.${aUser().id}.7`, `ideavault.draft.${aUser().id}.new`];
const OTHERS = "ideavault.draft.5b0c9d5e-0000-4a7e-9f0e-0f6f9a1c2d3e.7";

beforeEach(() => {
  for (const key of [...DRAFTS, OTHERS]) localStorage.setItem(key, "[]");
  localStorage.setItem("cookieConsent", "true");
  respondWith("get", "/api/ideas", 200, []);
});

const kept = () => DRAFTS.filter((key) => localStorage.getItem(key) !== null);

async function logOut() {
  signedIn();
  const { user } = renderRoute("/dashboard");
  await user.click(await screen.findByRole("button", { name: "Account" }));
  await user.click(await screen.findByRole("menuitem", { name: "Log Out" }));
}

test("logging out removes the user's own unsaved text, and nothing else", async () => {
  respondWith("post", "/api/auth/logout", 200, { success: true });
  await logOut();
  await waitFor(() => expect(kept()).toEqual([]));
  expect(localStorage.getItem("cookieConsent")).toBe("true");
  expect(localStorage.getItem(OTHERS)).not.toBeNull();
});

test("a logout that fails removes nothing", async () => {
  respondWith("post", "/api/auth/logout", 503, { message: "down" });
  await logOut();
  await screen.findByText("Failed to logout. Please try again.");
  expect(kept()).toEqual(DRAFTS);
});

test("an expired session keeps unsaved text", async () => {
  signedOut();
  const { path } = renderRoute("/dashboard");
  await waitFor(() => expect(path()).toBe("/login"));
  expect(kept()).toEqual(DRAFTS);
});
