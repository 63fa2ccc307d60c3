import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { loseResponse, respondWith } from "@/testing/api";
import { renderRoute } from "@/testing/render";
import { server } from "@/testing/server";

const look = (needsPassword: boolean) =>
  respondWith("post", "/api/auth/confirm-email/look", 200, {
    email: "ada@example.org",
    needsPassword,
  });

const button = { name: "Confirm this address" };

test("the page says whose account it is, and confirms nothing by itself", async () => {
  const seen = look(false);
  const calls = respondWith("post", "/api/auth/confirm-email", 200, { success: true });
  const { user } = renderRoute("/confirm-email/one-time-token");
  const confirm = await screen.findByRole("button", button);
  expect(screen.getByText("ada@example.org")).toBeVisible();
  expect(screen.queryByLabelText(/Password/)).not.toBeInTheDocument();
  expect(seen.map(({ body }) => body)).toEqual([{ token: "one-time-token" }]);
  expect(calls).toEqual([]);
  await user.click(confirm);
  const heading = await screen.findByRole("heading", { name: "Your email address is confirmed" });
  await waitFor(() => expect(heading).toHaveFocus());
  expect(calls.map(({ body }) => body)).toEqual([{ token: "one-time-token" }]);
  expect(screen.getByRole("link", { name: "Go to your ideas" })).toHaveAttribute(
    "href",
    "/dashboard",
  );
});

test("without a session of the account it takes the password", async () => {
  look(true);
  const { user } = renderRoute("/confirm-email/one-time-token");
  const confirm = await screen.findByRole("button", button);
  const password = screen.getByLabelText("Password of this account");
  await user.click(confirm);
  expect(await screen.findByText("Please enter the password of this account.")).toBeVisible();
  const message = "This is not the password of this account.";
  respondWith("post", "/api/auth/confirm-email", 400, { message, field: "password" });
  await user.type(password, "brass-and-oil");
  await user.click(confirm);
  await waitFor(() => expect(password).toHaveAccessibleDescription(message));
  const calls = respondWith("post", "/api/auth/confirm-email", 200, { success: true });
  await user.clear(password);
  await user.type(password, "brass-and-ink");
  await user.click(confirm);
  expect(
    await screen.findByRole("heading", { name: "Your email address is confirmed" }),
  ).toBeVisible();
  expect(calls.map(({ body }) => body)).toEqual([
    { token: "one-time-token", password: "brass-and-ink" },
  ]);
});

test("a session that ended meanwhile makes the page ask for the password", async () => {
  look(false);
  const { user } = renderRoute("/confirm-email/one-time-token");
  const confirm = await screen.findByRole("button", button);
  look(true);
  respondWith("post", "/api/auth/confirm-email", 401, { message: "Please sign in" });
  await user.click(confirm);
  expect(await screen.findByLabelText("Password of this account")).toBeVisible();
});

test.each([
  [409, "This link has already been used", /nothing left to do/],
  [400, "This link no longer works", /Send the email again/],
])("a response of %s shows why the link does not work", async (status, name, text) => {
  const calls = respondWith("post", "/api/auth/confirm-email", 200, { success: true });
  respondWith("post", "/api/auth/confirm-email/look", status, { message: "No.", field: "token" });
  renderRoute("/confirm-email/one-time-token");
  expect(await screen.findByRole("heading", { name })).toBeVisible();
  expect(screen.getByText(text)).toBeVisible();
  expect(calls).toEqual([]);
});

test("a link that was used while the page was open says so", async () => {
  look(false);
  respondWith("post", "/api/auth/confirm-email", 409, { message: "No." });
  const { user } = renderRoute("/confirm-email/one-time-token");
  await user.click(await screen.findByRole("button", button));
  expect(
    await screen.findByRole("heading", { name: "This link has already been used" }),
  ).toBeVisible();
});

test("a link without its token is invalid, and sends no request", async () => {
  renderRoute("/confirm-email");
  expect(await screen.findByRole("heading", { name: "This link no longer works" })).toBeVisible();
});

test("an answer that is lost does not say that nothing was confirmed", async () => {
  look(false);
  loseResponse("post", "/api/auth/confirm-email");
  const { user } = renderRoute("/confirm-email/one-time-token");
  await user.click(await screen.findByRole("button", button));
  expect(await screen.findByText(/If the address is confirmed already/)).toBeVisible();
  respondWith("post", "/api/auth/confirm-email/look", 409, { message: "No." });
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText(/The email address is confirmed/)).toBeVisible();
});

test("an unreachable server can be retried", async () => {
  server.use(
    http.post("*/api/auth/confirm-email/look", () => HttpResponse.error(), { once: true }),
  );
  const { user } = renderRoute("/confirm-email/one-time-token");
  const retry = await screen.findByRole("button", { name: "Try again" });
  look(false);
  await user.click(retry);
  expect(await screen.findByRole("button", button)).toBeVisible();
});
