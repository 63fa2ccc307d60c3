import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { answer } from "@/testing/api";
import { renderRoute } from "@/testing/render";
import { server } from "@/testing/server";

test("the mailed link confirms the address, once", async () => {
  const calls = answer("post", "/api/auth/confirm-email", 200, { success: true });
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
])("an answer of %s says why the link does not work", async (status, name, text) => {
  answer("post", "/api/auth/confirm-email", status, { message: "No.", field: "token" });
  renderRoute("/confirm-email/one-time-token");
  expect(await screen.findByRole("heading", { name })).toBeVisible();
  expect(screen.getByText(text)).toBeVisible();
});

test("a link without its token is as good as none, and nobody is asked", async () => {
  renderRoute("/confirm-email");
  expect(await screen.findByRole("heading", { name: "This link no longer works" })).toBeVisible();
});

test("a server that is away can be asked again", async () => {
  server.use(http.post("*/api/auth/confirm-email", () => HttpResponse.error(), { once: true }));
  const { user } = renderRoute("/confirm-email/one-time-token");
  const retry = await screen.findByRole("button", { name: "Try again" });
  answer("post", "/api/auth/confirm-email", 200, { success: true });
  await user.click(retry);
  expect(
    await screen.findByRole("heading", { name: "Your email address is confirmed" }),
  ).toBeVisible();
});
