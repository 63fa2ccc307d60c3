import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { respondWith, signedIn } from "@/testing/api";
import { aUser } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";

const unconfirmed = aUser({ emailConfirmed: false, confirmationRequired: true });
const notice = { name: "Confirm your email address" };

function dashboardOf(user = unconfirmed) {
  signedIn(user);
  respondWith("get", "/api/ideas", 200, []);
  respondWith("get", "/api/assets", 200, []);
  return renderRoute("/dashboard");
}

test("an unconfirmed address shows the notice, which sends the email again", async () => {
  const calls = respondWith("post", "/api/auth/confirm-email/resend", 204);
  const { user } = dashboardOf();
  expect(await screen.findByRole("region", notice)).toHaveTextContent("ada@example.org");
  await user.click(screen.getByRole("button", { name: "Send the email again" }));
  expect(await screen.findByText(/Sent\. Please open the link/)).toBeVisible();
  expect(calls).toHaveLength(1);
});

test("a refusal shows the server's message", async () => {
  respondWith("post", "/api/auth/confirm-email/resend", 429, { message: "Slow down." });
  const { user } = dashboardOf();
  await user.click(await screen.findByRole("button", { name: "Send the email again" }));
  expect(await screen.findByText("Slow down.")).toBeVisible();
});

test("the notice disappears when the address was confirmed in another tab", async () => {
  respondWith("post", "/api/auth/confirm-email/resend", 409, { message: "Confirmed." });
  const { user } = dashboardOf();
  const again = await screen.findByRole("button", { name: "Send the email again" });
  await user.click(again);
  await expect.poll(() => screen.queryByRole("region", notice)).toBeNull();
});

test.each([
  { emailConfirmed: true, confirmationRequired: true },
  { emailConfirmed: false, confirmationRequired: false },
])("no notice where no confirmation is required: %o", async (over) => {
  dashboardOf(aUser(over));
  await screen.findByRole("heading", { name: "Idea Portfolio" });
  expect(screen.queryByRole("region", notice)).not.toBeInTheDocument();
});
