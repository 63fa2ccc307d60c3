import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { respondWith } from "@/testing/api";
import { renderRoute } from "@/testing/render";
import { server } from "@/testing/server";

test("the mailed link confirms the address, once", async () => {
  const calls = respondWith("post", "/api/auth/confirm-email", 200, { success: true });
  renderRoute("/confirm-email/one-time-token");
  const heading = await screen.findByRole("heading", { name: "Your email address is confirmed" });
  await waitFor(() => expect(heading).toHaveFocus());
  expect(calls.map(({ body }) => body)).toEqual([{ token: "one-time-token" }]);
  expect(screen.getByRole("link", { name: "Go to your ideas" })).toHaveAttribute(
    "href",
    "/dashboard",
  );
});

test.each([
  [409, "This link has already been used", /nothing left to do/],
  [400, "This link no longer works", /Send the email again/],
])("a response of %s shows why the link does not work", async (status, name, text) => {
  respondWith("post", "/api/auth/confirm-email", status, { message: "No.", field: "token" });
  renderRoute("/confirm-email/one-time-token");
  expect(await screen.findByRole("heading", { name })).toBeVisible();
  expect(screen.getByText(text)).toBeVisible();
});

test("a link without its token is invalid, and sends no request", async () => {
  renderRoute("/confirm-email");
  expect(await screen.findByRole("heading", { name: "This link no longer works" })).toBeVisible();
});

test("an unreachable server can be retried", async () => {
  server.use(http.post("*/api/auth/confirm-email", () => HttpResponse.error(), { once: true }));
  const { user } = renderRoute("/confirm-email/one-time-token");
  const retry = await screen.findByRole("button", { name: "Try again" });
  respondWith("post", "/api/auth/confirm-email", 200, { success: true });
  await user.click(retry);
  expect(
    await screen.findByRole("heading", { name: "Your email address is confirmed" }),
  ).toBeVisible();
});
