import { act, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { sourcesOf } from "@/features/search/sources";
import { answer, signedIn } from "@/testing/api";
import { aUser } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { COOKIE_CONSENT_KEY } from "@/ui/cookies/consent";

test("section 9, Cookie consent storage key", () => {
  expect(COOKIE_CONSENT_KEY).toBe("cookieConsent");
});

test("section 9, Citation sources shown: at most 3", () => {
  const many = [1, 2, 3, 4, 5].map((n) => `https://${n}.example`);
  expect(sourcesOf(many)).toHaveLength(3);
});

test("section 9, Redirect delay after login: 100 ms; Current user storage key", async () => {
  answer("post", "/api/auth/login", 200, { success: true, user: aUser() });
  signedIn();
  answer("get", "/api/ideas", 200, []);
  const { user, path } = renderRoute("/login");
  await user.type(await screen.findByLabelText("Email"), "ada@example.org");
  await user.type(screen.getByLabelText("Password"), "brass-and-ink");
  const delays = vi.spyOn(globalThis, "setTimeout");
  await user.click(screen.getByRole("button", { name: "Sign in" }));
  await waitFor(() => expect(path()).toBe("/dashboard"));
  expect(delays.mock.calls.map(([, delay]) => delay)).toContain(100);
  expect(localStorage.getItem("currentUser")).toContain("ada@example.org");
});

test("section 9, Reply times and notices", async () => {
  const { router } = renderRoute("/contact");
  expect(await screen.findByText(/within 24 hours/)).toBeVisible();
  await act(() => router.navigate("/data-handling"));
  expect(await screen.findByText(/within 72 hours/)).toBeVisible();
  expect(screen.getByText(/within one month.*by two months/)).toBeVisible();
});
