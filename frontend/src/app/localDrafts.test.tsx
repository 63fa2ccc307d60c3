import { screen, waitFor, within } from "@testing-library/react";
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
  const question = await screen.findByRole("alertdialog", { name: "Sign out without saving?" });
  const answer = (name: string) => user.click(within(question).getByRole("button", { name }));
  return { answer };
}

test("logging out removes the user's own unsaved text, and nothing else", async () => {
  respondWith("post", "/api/auth/logout", 200, { success: true });
  const { answer } = await logOut();
  await answer("Sign out");
  await waitFor(() => expect(kept()).toEqual([]));
  expect(localStorage.getItem("cookieConsent")).toBe("true");
  expect(localStorage.getItem(OTHERS)).not.toBeNull();
});

test("a logout that fails removes nothing", async () => {
  respondWith("post", "/api/auth/logout", 503, { message: "down" });
  const { answer } = await logOut();
  await answer("Sign out");
  await screen.findByText("Failed to logout. Please try again.");
  expect(kept()).toEqual(DRAFTS);
});

test("who stays keeps session and text", async () => {
  const calls = respondWith("post", "/api/auth/logout", 200, { success: true });
  const { answer } = await logOut();
  await answer("Stay");
  await waitFor(() => expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument());
  expect(calls).toEqual([]);
  expect(kept()).toEqual(DRAFTS);
});

test("an expired session keeps unsaved text", async () => {
  signedOut();
  const { path } = renderRoute("/dashboard");
  await waitFor(() => expect(path()).toBe("/login"));
  expect(kept()).toEqual(DRAFTS);
});
