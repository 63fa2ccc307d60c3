import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { renderRoute } from "@/testing/render";

beforeEach(() => localStorage.removeItem("cookieConsent"));

test.each([
  ["Accept Cookies", "true"],
  ["Decline", "false"],
  ["Close cookie notice", "false"],
])("%s stores %s and hides the banner", async (name, stored) => {
  const { user } = renderRoute("/about");
  await user.click(await screen.findByRole("button", { name }));
  await waitFor(() => expect(localStorage.getItem("cookieConsent")).toBe(stored));
  await waitFor(() =>
    expect(screen.queryByRole("region", { name: "Cookies" })).not.toBeInTheDocument(),
  );
});

test("links to the privacy policy, where the question is still shown", async () => {
  const { user, path } = renderRoute("/about");
  await user.click(await screen.findByRole("link", { name: "Learn more" }));
  expect(await screen.findByRole("heading", { name: "Privacy Policy" })).toBeVisible();
  expect(path()).toBe("/privacy-policy");
  expect(screen.getByRole("region", { name: "Cookies" })).toBeVisible();
});

test.each(["true", "false"])("does not ask again after %s", async (stored) => {
  localStorage.setItem("cookieConsent", stored);
  renderRoute("/about");
  await screen.findByRole("heading", { name: "About Us" });
  expect(screen.queryByRole("region", { name: "Cookies" })).not.toBeInTheDocument();
});

test("shows the page without the question where storage is blocked", async () => {
  vi.spyOn(Storage.prototype, "getItem").mockImplementation(() => {
    throw new DOMException("The operation is insecure.", "SecurityError");
  });
  renderRoute("/about");
  expect(await screen.findByRole("heading", { name: "About Us" })).toBeVisible();
  expect(screen.queryByRole("region", { name: "Cookies" })).not.toBeInTheDocument();
});
