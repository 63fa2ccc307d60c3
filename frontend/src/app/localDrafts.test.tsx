import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { answer, signedIn, signedOut } from "@/testing/api";
import { renderRoute } from "@/testing/render";

const DRAFTS = ["ideavault.draft.ada.7", "ideavault.draft.ada.new"];

beforeEach(() => {
  for (const key of DRAFTS) localStorage.setItem(key, "[]");
  localStorage.setItem("cookieConsent", "true");
  answer("get", "/api/ideas", 200, []);
});

const kept = () => DRAFTS.filter((key) => localStorage.getItem(key) !== null);

async function logOut() {
  signedIn();
  const { user } = renderRoute("/dashboard");
  await user.click(await screen.findByRole("button", { name: "Account" }));
  await user.click(await screen.findByRole("menuitem", { name: "Log Out" }));
}

test("logging out takes unsaved text along, and nothing else", async () => {
  answer("post", "/api/auth/logout", 200, { success: true });
  await logOut();
  await waitFor(() => expect(kept()).toEqual([]));
  expect(localStorage.getItem("cookieConsent")).toBe("true");
});

test("a log-out that fails takes nothing", async () => {
  answer("post", "/api/auth/logout", 503, { message: "down" });
  await logOut();
  await screen.findByText("Failed to logout. Please try again.");
  expect(kept()).toEqual(DRAFTS);
});

test("a session that ended by itself leaves unsaved text where it is", async () => {
  signedOut();
  const { path } = renderRoute("/dashboard");
  await waitFor(() => expect(path()).toBe("/login"));
  expect(kept()).toEqual(DRAFTS);
});
