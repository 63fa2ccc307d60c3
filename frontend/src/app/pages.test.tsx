import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { signedIn } from "@/testing/api";
import { renderRoute } from "@/testing/render";
import { server } from "@/testing/server";

test.each([
  ["/", "Put your idea on record"],
  ["/login", "Sign in"],
  ["/register", "Register"],
  ["/forgot-password", "Reset Password"],
  ["/reset-password/one-time-token", "Choose a new password"],
  ["/confirm-email", "This link no longer works"],
  ["/my-documents", "Your documents"],
  ["/my-documents/one-time-token", "Your documents"],
  ["/about", "About Us"],
  ["/contact", "Contact"],
  ["/privacy-policy", "Privacy Policy"],
  ["/privacy", "Privacy Policy"],
  ["/terms", "Terms of Service"],
  ["/data-handling", "Data Handling"],
  ["/verify", "Check evidence"],
  ["/no-such-page", "404 Page Not Found"],
])("%s has one h1, a title of its own and the footer", async (path, title) => {
  renderRoute(path);
  expect(await screen.findAllByRole("heading", { level: 1 })).toHaveLength(1);
  await waitFor(() => expect(document.title).toBe(`${title} · IdeaVault`));
  const footer = screen.getByRole("contentinfo");
  expect(footer).toHaveTextContent(/^Blockchain timestamp: \w+ \d+, 20\d\d/);
  const links = within(footer).getAllByRole("link");
  expect(links.map((link) => link.textContent)).toEqual([
    "About Us",
    "Contact",
    "Privacy Policy",
    "Data Handling",
  ]);
});

test("the profile leaves the footer links out", async () => {
  signedIn();
  renderRoute("/profile");
  await screen.findByRole("heading", { name: "Profile" });
  expect(within(screen.getByRole("contentinfo")).queryByRole("link")).not.toBeInTheDocument();
});

test("an unknown path says so", async () => {
  renderRoute("/no-such-page");
  expect(await screen.findByRole("heading", { name: "404 Page Not Found" })).toBeVisible();
  expect(screen.getByText("Did you forget to add the page to the router?")).toBeVisible();
});

test("the heading takes focus after a navigation, not on the first page", async () => {
  const { user } = renderRoute("/about");
  expect(await screen.findByRole("heading", { name: "About Us" })).not.toHaveFocus();
  await user.click(screen.getByRole("link", { name: "Contact" }));
  const next = await screen.findByRole("heading", { name: "Contact" });
  await waitFor(() => expect(next).toHaveFocus());
});

test("the chosen theme is stored, and the system's theme can be chosen again", async () => {
  const { user } = renderRoute("/about");
  // The loading screen has a theme switch, too.
  await screen.findByRole("heading", { name: "About Us" });
  await user.click(screen.getByRole("radio", { name: "Dark" }));
  await waitFor(() => expect(document.documentElement.dataset.theme).toBe("dark"));
  expect(localStorage.getItem("theme")).toBe("dark");
  await user.click(screen.getByRole("radio", { name: "System" }));
  await waitFor(() => expect(document.documentElement.dataset.theme).toBeUndefined());
  expect(localStorage.getItem("theme")).toBeNull();
});

test("a guard without a response offers to reload instead of signing out", async () => {
  localStorage.setItem("currentUser", "{}");
  server.use(http.get("*/api/auth/me", () => HttpResponse.error()));
  renderRoute("/dashboard");
  expect(await screen.findByRole("heading", { name: "Something went wrong" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Reload page" })).toBeEnabled();
  expect(localStorage.getItem("currentUser")).toBe("{}");
});
