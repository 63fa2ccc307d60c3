import { screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { deferResponse, loseResponse, respondWith } from "@/testing/api";
import { aUser } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";

const fields = {
  "Full Name": "Ada Lovelace",
  Email: "ada@example.org",
  Password: "brass-and-ink",
  "Confirm Password": "brass-and-ink",
};

async function register(changed: Partial<typeof fields> = {}) {
  const app = renderRoute("/register");
  await screen.findByRole("heading", { name: "Create your account" });
  for (const [label, text] of Object.entries({ ...fields, ...changed })) {
    await app.user.type(screen.getByLabelText(label), text);
  }
  await app.user.click(screen.getByRole("button", { name: "Create account" }));
  return app;
}

test.each([
  [{ "Full Name": "A" }, "Name must be at least 2 characters"],
  [{ Email: "ada" }, "Please enter a valid email address"],
  [{ Password: "12345" }, "Password must be at least 6 characters"],
  [{ "Confirm Password": "something else" }, "Passwords don't match"],
])("refuses %o", async (changed, message) => {
  await register(changed);
  expect(await screen.findByText(message)).toBeVisible();
});

test("shows a mismatch on the confirmation", async () => {
  await register({ "Confirm Password": "something else" });
  await waitFor(() => expect(screen.getByLabelText("Confirm Password")).toBeInvalid());
  expect(screen.getByLabelText("Password")).toBeValid();
});

test("creates the account and goes to the login", async () => {
  const calls = respondWith("post", "/api/auth/register", 201, aUser());
  const { path } = await register();
  expect(await screen.findByText("Account created successfully! Please log in.")).toBeVisible();
  await waitFor(() => expect(path()).toBe("/login"));
  expect(calls[0]?.body).toEqual({
    name: "Ada Lovelace",
    email: "ada@example.org",
    password: "brass-and-ink",
  });
});

test("an invitation brings its token and the address that it is for", async () => {
  const calls = respondWith("post", "/api/auth/register", 201, aUser());
  const { user, path } = renderRoute("/register?invitation=t0ken&email=o%27hara%2Ba%40example.org");
  const email = await screen.findByLabelText("Email");
  expect(email).toHaveValue("o'hara+a@example.org");
  expect(email).toHaveAttribute("readonly");
  for (const label of ["Full Name", "Password", "Confirm Password"] as const) {
    await user.type(screen.getByLabelText(label), fields[label]);
  }
  await user.click(screen.getByRole("button", { name: "Create account" }));
  await waitFor(() => expect(path()).toBe("/login"));
  expect(calls[0]?.body).toEqual({
    name: "Ada Lovelace",
    email: "o'hara+a@example.org",
    password: "brass-and-ink",
    invitationToken: "t0ken",
  });
});

test("does not navigate when the screen was left meanwhile", async () => {
  const { calls, release } = deferResponse("post", "/api/auth/register");
  const { user, path, router } = await register();
  await waitFor(() => expect(calls).toHaveLength(1));
  const left = screen.getByLabelText("Full Name");
  await user.click(await screen.findByRole("link", { name: "About Us" }));
  await waitFor(() => expect(left).not.toBeInTheDocument());
  expect(path()).toBe("/about");
  const navigate = vi.spyOn(router, "navigate");
  release(201, aUser());
  expect(await screen.findByText("Account created successfully! Please log in.")).toBeVisible();
  expect(navigate).not.toHaveBeenCalled();
});

test("says what failed and keeps what was typed", async () => {
  respondWith("post", "/api/auth/register", 409, {
    message: "This email is taken.",
    field: "email",
  });
  await register();
  expect(
    await screen.findByText("Registration failed. Email may already be in use."),
  ).toBeVisible();
  expect(await screen.findByRole("alert")).toHaveTextContent("This email is taken.");
  expect(screen.getByLabelText("Full Name")).toHaveValue("Ada Lovelace");
});

test("says that a try without an answer may have made the account", async () => {
  loseResponse("post", "/api/auth/register");
  const { user } = await register();
  await screen.findByRole("alert");
  respondWith("post", "/api/auth/register", 409, { message: "This email is taken." });
  await user.click(screen.getByRole("button", { name: "Create account" }));
  await waitFor(() =>
    expect(screen.getByRole("alert")).toHaveTextContent(
      "Your last attempt may already have created the account. Please try signing in.",
    ),
  );
});

test("offers the three providers disabled, as coming soon", async () => {
  renderRoute("/register");
  const soon = await screen.findAllByRole("button", { name: /Coming Soon/ });
  expect(soon).toHaveLength(3);
  for (const button of soon) expect(button).toBeDisabled();
});

test.each([
  ["Terms of Service", "/terms"],
  ["Privacy Policy", "/privacy"],
])("opens the %s beside the form, which keeps what was typed", async (name, path) => {
  renderRoute("/register");
  const consent = await screen.findByRole("link", { name: `${name} (opens in a new tab)` });
  // A space before hidden text would be underlined.
  expect(consent.textContent).toBe(name);
  expect(consent).toHaveAttribute("href", path);
  expect(consent).toHaveAttribute("target", "_blank");
});
