import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test, vi } from "vitest";
import { deferResponse, loseResponse, neverRespond, respondWith } from "@/testing/api";
import { renderRoute } from "@/testing/render";
import { server } from "@/testing/server";

async function ask(email: string) {
  const app = renderRoute("/forgot-password");
  await screen.findByRole("heading", { name: "Reset Password" });
  if (email) await app.user.type(screen.getByLabelText("Email"), email);
  await app.user.click(screen.getByRole("button", { name: "Send Reset Link" }));
  return app;
}

test("requires an address with the message of docs/rules.md, and sends nothing without one", async () => {
  await ask("   ");
  expect(await screen.findByText("Please enter your email address.")).toBeVisible();
  expect(screen.getByLabelText("Email")).toBeRequired();
});

test("confirms a sent mail by its address, and goes back to the form with it", async () => {
  const calls = respondWith("post", "/api/auth/forgot-password", 200, { success: true });
  const { user } = await ask(" ada@example.org ");
  const heading = await screen.findByRole("heading", { name: "Check Your Email" });
  await waitFor(() => expect(heading).toHaveFocus());
  expect(calls.map(({ body }) => body)).toEqual([{ email: "ada@example.org" }]);
  expect(
    await screen.findByText("Password reset instructions have been sent to your email."),
  ).toBeVisible();
  expect(screen.getByText("ada@example.org")).toBeVisible();
  expect(screen.getByText(/spam folder/)).toBeVisible();
  expect(screen.getByRole("link", { name: "Back to Login" })).toHaveAttribute("href", "/login");
  await user.click(screen.getByRole("button", { name: "Try Again" }));
  const form = await screen.findByRole("heading", { name: "Reset Password" });
  await waitFor(() => expect(form).toHaveFocus());
  expect(screen.getByLabelText("Email")).toHaveValue("ada@example.org");
});

test.each([
  [
    "the server's message",
    () => HttpResponse.json({ message: "Slow down." }, { status: 429 }),
    "Slow down.",
  ],
  [
    "its own words",
    () => new HttpResponse(null, { status: 502 }),
    "Failed to send reset email. Please try again.",
  ],
  ["word of the network", () => HttpResponse.error(), "Network error. Please try again."],
])("an email that was not sent: %s", async (_what, response, text) => {
  server.use(http.post("*/api/auth/forgot-password", response));
  await ask("ada@example.org");
  expect(await screen.findByRole("alert")).toHaveTextContent(text);
  expect(screen.getByLabelText("Email")).toHaveValue("ada@example.org");
});

async function reset(newPassword: string, confirmation = newPassword) {
  server.use(
    http.post("*/api/auth/reset-password/look", () =>
      HttpResponse.json({ twoFactorRemovable: false }),
    ),
  );
  const app = renderRoute("/reset-password/one-time-token");
  await screen.findByRole("heading", { name: "Choose a new password" });
  if (newPassword) await app.user.type(screen.getByLabelText("New Password"), newPassword);
  if (confirmation) {
    await app.user.type(screen.getByLabelText("Confirm New Password"), confirmation);
  }
  await app.user.click(screen.getByRole("button", { name: "Reset Password" }));
  return app;
}

test("a reset link sets the new password and leads to the login", async () => {
  const calls = respondWith("post", "/api/auth/reset-password", 200, { success: true });
  const { path } = await reset("brass-and-ink");
  expect(await screen.findByText("Your password has been reset. Please sign in.")).toBeVisible();
  await waitFor(() => expect(path()).toBe("/login"));
  expect(screen.queryByText(/not yours/)).not.toBeInTheDocument();
  expect(calls.map(({ body }) => body)).toEqual([
    { token: "one-time-token", newPassword: "brass-and-ink" },
  ]);
});

test.each([true, false])("a young second step is turned off if asked: %s", async (isAsked) => {
  const seen = respondWith("post", "/api/auth/reset-password/look", 200, {
    twoFactorRemovable: true,
  });
  const { user, path } = renderRoute("/reset-password/one-time-token");
  const off = await screen.findByRole("checkbox", { name: /Turn off two-step sign-in/ });
  expect(seen.map(({ body }) => body)).toEqual([{ token: "one-time-token" }]);
  expect(off).not.toBeChecked();
  if (isAsked) await user.click(off);
  const calls = respondWith("post", "/api/auth/reset-password", 200, { success: true });
  await user.type(screen.getByLabelText("New Password"), "brass-and-ink");
  await user.type(screen.getByLabelText("Confirm New Password"), "brass-and-ink");
  await user.click(screen.getByRole("button", { name: "Reset Password" }));
  await waitFor(() => expect(path()).toBe("/login"));
  expect(calls.map(({ body }) => body)).toEqual([
    { token: "one-time-token", newPassword: "brass-and-ink", removeTwoFactor: isAsked },
  ]);
});

test("after a reset of an unconfirmed account, its ideas are mentioned", async () => {
  respondWith("post", "/api/auth/reset-password", 200, { success: true, unprovenIdeas: true });
  const { path } = await reset("brass-and-ink");
  await waitFor(() => expect(path()).toBe("/login"));
  expect(await screen.findByText(/delete what is not yours/)).toBeVisible();
});

test("a reset does not navigate when the screen was left meanwhile", async () => {
  const { calls, release } = deferResponse("post", "/api/auth/reset-password");
  const { user, path, router } = await reset("brass-and-ink");
  await waitFor(() => expect(calls).toHaveLength(1));
  const left = screen.getByLabelText("New Password");
  await user.click(await screen.findByRole("link", { name: "About Us" }));
  await waitFor(() => expect(left).not.toBeInTheDocument());
  expect(path()).toBe("/about");
  const navigate = vi.spyOn(router, "navigate");
  release(200, { success: true });
  expect(await screen.findByText("Your password has been reset. Please sign in.")).toBeVisible();
  expect(navigate).not.toHaveBeenCalled();
});

test.each([
  ["", "", "New password must be at least 6 characters"],
  ["12345", "12345", "New password must be at least 6 characters"],
  ["brass-and-ink", "", "Please confirm your new password"],
  ["brass-and-ink", "brass-and-oil", "Passwords don't match"],
])("refuses %o confirmed by %o", async (password, confirmation, message) => {
  await reset(password, confirmation);
  expect(await screen.findByText(message)).toBeVisible();
});

test("an invalid link is reported, with a way to request another", async () => {
  respondWith("post", "/api/auth/reset-password", 400, { message: "This link has expired." });
  await reset("brass-and-ink");
  const heading = await screen.findByRole("heading", { name: "This reset link no longer works" });
  await waitFor(() => expect(heading).toHaveFocus());
  expect(screen.getByRole("link", { name: "Request a new link" })).toHaveAttribute(
    "href",
    "/forgot-password",
  );
});

test("a reset link without a token is invalid", async () => {
  renderRoute("/reset-password");
  expect(
    await screen.findByRole("heading", { name: "This reset link no longer works" }),
  ).toBeVisible();
});

test("a password that the server refuses is reported at its field", async () => {
  respondWith("post", "/api/auth/reset-password", 400, {
    message: "Passwords have at most 128 characters.",
    field: "newPassword",
  });
  await reset("brass-and-ink");
  await waitFor(() =>
    expect(screen.getByLabelText("New Password")).toHaveAccessibleDescription(
      "Passwords have at most 128 characters.",
    ),
  );
});

test("a reset that failed keeps what was typed", async () => {
  respondWith("post", "/api/auth/reset-password", 503, { message: "The database is away." });
  await reset("brass-and-ink");
  expect(await screen.findByRole("alert")).toHaveTextContent("The database is away.");
  expect(screen.getByLabelText("New Password")).toHaveValue("brass-and-ink");
});

test("a link that a try without an answer has used up may have set the password", async () => {
  loseResponse("post", "/api/auth/reset-password");
  const { user } = await reset("brass-and-ink");
  expect(await screen.findByRole("alert")).toHaveTextContent("Network error. Please try again.");
  respondWith("post", "/api/auth/reset-password", 400, { message: "Used.", field: "token" });
  await user.click(screen.getByRole("button", { name: "Reset Password" }));
  await waitFor(() =>
    expect(screen.getByRole("alert")).toHaveTextContent(
      "Your new password may already be set. Please try signing in with it. If that does not work, request a new link.",
    ),
  );
  expect(screen.getByLabelText("New Password")).toHaveValue("brass-and-ink");
});

test("both new passwords can be shown and hidden", async () => {
  neverRespond("post", "/api/auth/reset-password");
  const { user } = await reset("brass-and-ink");
  const [first, second] = screen.getAllByRole("button", { name: "Show password" });
  if (first) await user.click(first);
  expect(screen.getByLabelText("New Password")).toHaveAttribute("type", "text");
  expect(screen.getByLabelText("Confirm New Password")).toHaveAttribute("type", "password");
  if (second) await user.click(second);
  expect(screen.getByLabelText("Confirm New Password")).toHaveAttribute("type", "text");
});
