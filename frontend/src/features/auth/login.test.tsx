import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test, vi } from "vitest";
import { cookiesBlocked } from "@/browser/cookies";
import { loseResponse, neverRespond, respondWith, signedIn, signedOut } from "@/testing/api";
import { aUser } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { server } from "@/testing/server";

async function openLogin() {
  const app = renderRoute("/login");
  await screen.findByRole("heading", { name: "Welcome back" });
  const fill = async (email: string, password: string) => {
    await app.user.type(screen.getByLabelText("Email"), email);
    await app.user.type(screen.getByLabelText("Password"), password);
    await app.user.click(screen.getByRole("button", { name: "Sign in" }));
  };
  return { ...app, fill };
}

test("refuses an empty form with the messages of docs/rules.md and focuses the first field", async () => {
  const { user } = await openLogin();
  await user.click(screen.getByRole("button", { name: "Sign in" }));
  expect(await screen.findByText("Please enter a valid email address")).toBeVisible();
  expect(screen.getByText("Password must be at least 6 characters")).toBeVisible();
  const email = screen.getByLabelText("Email");
  await waitFor(() => expect(email).toHaveFocus());
  expect(email).toHaveAccessibleDescription("Please enter a valid email address");
  expect(email).toBeInvalid();
});

test("sends the email trimmed and in lower case, stores the user and opens the dashboard", async () => {
  const calls = respondWith("post", "/api/auth/login", 200, { success: true, user: aUser() });
  signedIn();
  respondWith("get", "/api/ideas", 200, []);
  const { fill, path } = await openLogin();
  await fill("  Ada@Example.org ", "brass-and-ink");
  expect(await screen.findByText("You have been logged in successfully!")).toBeVisible();
  await waitFor(() => expect(path()).toBe("/dashboard"));
  expect(calls[0]?.body).toEqual({ email: "ada@example.org", password: "brass-and-ink" });
  expect(JSON.parse(localStorage.getItem("currentUser") ?? "null")).toEqual(aUser());
});

test("says that cookies are blocked when the session is unknown right after the login", async () => {
  respondWith("post", "/api/auth/login", 200, { success: true, user: aUser() });
  signedOut();
  const { fill, path } = await openLogin();
  await fill("ada@example.org", "brass-and-ink");
  expect(await screen.findByRole("alert")).toHaveTextContent(cookiesBlocked);
  expect(screen.queryByText("You have been logged in successfully!")).not.toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Sign in" })).toBeDisabled();
  expect(path()).toBe("/login");
});

test("blames no cookies when the vault cannot say who is signed in", async () => {
  respondWith("post", "/api/auth/login", 200, { success: true, user: aUser() });
  respondWith("get", "/api/auth/me", 503, { message: "The service is unavailable right now." });
  const { fill } = await openLogin();
  await fill("ada@example.org", "brass-and-ink");
  expect(await screen.findByRole("alert")).toHaveTextContent(
    "The service is unavailable right now.",
  );
  expect(screen.getByRole("button", { name: "Sign in" })).toBeEnabled();
});

test.each(["/login", "/register"])("%s says so if the browser admits it", async (path) => {
  vi.spyOn(navigator, "cookieEnabled", "get").mockReturnValue(false);
  renderRoute(path);
  expect(await screen.findByRole("alert")).toHaveTextContent(cookiesBlocked);
  expect(screen.getByRole("button", { name: /^(Sign in|Create account)$/ })).toBeDisabled();
});

test("signs in where storage is blocked", async () => {
  for (const area of ["localStorage", "sessionStorage"] as const) {
    vi.spyOn(window, area, "get").mockImplementation(() => {
      throw new DOMException("Access is denied for this document.", "SecurityError");
    });
  }
  respondWith("post", "/api/auth/login", 200, { success: true, user: aUser() });
  signedIn();
  respondWith("get", "/api/ideas", 200, []);
  const { fill, path } = await openLogin();
  await fill("ada@example.org", "brass-and-ink");
  await waitFor(() => expect(path()).toBe("/dashboard"));
  await waitFor(() => expect(screen.getByText("Hi Ada")).toBeVisible());
});

test("says what failed and keeps what was typed", async () => {
  respondWith("post", "/api/auth/login", 401, { message: "no" });
  const { fill, path } = await openLogin();
  await fill("ada@example.org", "wrong-password");
  const texts = await screen.findAllByText("Invalid email or password. Please try again.");
  expect(texts.length).toBeGreaterThan(0);
  expect(await screen.findByRole("alert")).toHaveTextContent("Invalid email or password.");
  expect(screen.getByLabelText("Email")).toHaveValue("ada@example.org");
  expect(screen.getByLabelText("Password")).toHaveValue("wrong-password");
  expect(path()).toBe("/login");
});

test.each([
  [
    "a server that is too busy",
    () => HttpResponse.json({ message: "Slow down." }, { status: 429 }),
    "Slow down.",
  ],
  ["no connection", () => HttpResponse.error(), "Network error. Please try again."],
])("keeps the reason visible when there is %s", async (_what, response, text) => {
  server.use(http.post("*/api/auth/login", response));
  const { fill } = await openLogin();
  await fill("ada@example.org", "brass-and-ink");
  expect(await screen.findByRole("alert")).toHaveTextContent(text);
  expect(screen.queryByText(/Invalid email or password/)).not.toBeInTheDocument();
});

const asksForCode = () =>
  respondWith("post", "/api/auth/login", 401, {
    message: "Enter the code from your authenticator app.",
    field: "code",
  });

test("asks for the code of an account that needs one, and keeps what was typed", async () => {
  const first = asksForCode();
  const { fill, user, path } = await openLogin();
  await fill("ada@example.org", "brass-and-ink");
  const code = await screen.findByLabelText("Code");
  expect(first[0]?.body).toEqual({ email: "ada@example.org", password: "brass-and-ink" });
  await waitFor(() => expect(code).toHaveFocus());
  expect(code).toHaveAttribute("autocomplete", "one-time-code");
  expect(code).toHaveAttribute("inputmode", "numeric");
  expect(code).toHaveAccessibleDescription("Enter the code from your authenticator app.");
  await waitFor(() => expect(screen.queryByRole("alert")).not.toBeInTheDocument());
  expect(screen.getByLabelText("Email")).toHaveValue("ada@example.org");
  expect(screen.getByLabelText("Password")).toHaveValue("brass-and-ink");

  const second = respondWith("post", "/api/auth/login", 200, { success: true, user: aUser() });
  signedIn();
  respondWith("get", "/api/ideas", 200, []);
  await user.type(code, "123 456{Enter}");
  await waitFor(() => expect(path()).toBe("/dashboard"));
  expect(second[0]?.body).toEqual({
    email: "ada@example.org",
    password: "brass-and-ink",
    code: "123456",
  });
});

test("shows an invalid code at its field", async () => {
  asksForCode();
  const { fill, user, path } = await openLogin();
  await fill("ada@example.org", "brass-and-ink");
  const message = "This code does not work.";
  respondWith("post", "/api/auth/login", 401, { message, field: "code" });
  await user.type(await screen.findByLabelText("Code"), "000000{Enter}");
  const code = await screen.findByLabelText("Code");
  await waitFor(() => expect(code).toBeInvalid());
  expect(code).toHaveAccessibleDescription(expect.stringContaining(message));
  expect(code).toHaveValue("000000");
  await waitFor(() => expect(code).toHaveFocus());
  expect(path()).toBe("/login");
});

test("says that a try without an answer may have used the code up", async () => {
  asksForCode();
  const { fill, user } = await openLogin();
  await fill("ada@example.org", "brass-and-ink");
  loseResponse("post", "/api/auth/login");
  const code = await screen.findByLabelText("Code");
  await user.type(code, "123456{Enter}");
  expect(await screen.findByRole("alert")).toHaveTextContent("Network error. Please try again.");
  respondWith("post", "/api/auth/login", 401, {
    message: "This code does not work.",
    field: "code",
  });
  await user.type(code, "{Enter}");
  await waitFor(() =>
    expect(code).toHaveAccessibleDescription(
      expect.stringContaining("Your last attempt may have used up this code."),
    ),
  );
  await user.type(code, "{Backspace}7{Enter}");
  await waitFor(() =>
    expect(code).toHaveAccessibleDescription(expect.stringContaining("This code does not work.")),
  );
});

test("accepts a recovery code with letters", async () => {
  asksForCode();
  const { fill, user } = await openLogin();
  await fill("ada@example.org", "brass-and-ink");
  await screen.findByLabelText("Code");
  await user.click(screen.getByRole("button", { name: "Use a recovery code" }));
  const code = await screen.findByLabelText("Recovery code");
  await waitFor(() => expect(code).toHaveFocus());
  expect(code).toHaveAttribute("inputmode", "text");
  const calls = asksForCode();
  await user.type(code, "0H2K-4N6Q-8SAV-CXEZ{Enter}");
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(calls[0]?.body).toMatchObject({ code: "0H2K-4N6Q-8SAV-CXEZ" });
});

test("asks for a recovery code in an empty field, without the failure of the code before", async () => {
  asksForCode();
  const { fill, user } = await openLogin();
  await fill("ada@example.org", "brass-and-ink");
  respondWith("post", "/api/auth/login", 401, { message: "No.", field: "code" });
  await user.type(await screen.findByLabelText("Code"), "000000{Enter}");
  await waitFor(() => expect(screen.getByLabelText("Code")).toBeInvalid());
  await user.click(screen.getByRole("button", { name: "Use a recovery code" }));
  const code = await screen.findByLabelText("Recovery code");
  await waitFor(() => expect(code).toHaveValue(""));
  expect(code).toBeValid();
  expect(screen.getByLabelText("Email")).toHaveValue("ada@example.org");
  expect(screen.getByLabelText("Password")).toHaveValue("brass-and-ink");
});

test("does not act on a false success flag", async () => {
  const calls = respondWith("post", "/api/auth/login", 200, { success: false, user: aUser() });
  const { fill, path } = await openLogin();
  await fill("ada@example.org", "brass-and-ink");
  await waitFor(() => expect(calls).toHaveLength(1));
  await waitFor(() =>
    expect(screen.getByRole("button", { name: "Sign in" })).not.toHaveAttribute("aria-busy"),
  );
  expect(localStorage.getItem("currentUser")).toBeNull();
  expect(path()).toBe("/login");
});

test("sends a login once, however often it is submitted", async () => {
  const calls = neverRespond("post", "/api/auth/login");
  const { fill, user } = await openLogin();
  await fill("ada@example.org", "brass-and-ink{Enter}{Enter}");
  await user.click(screen.getByRole("button", { name: "Sign in" }));
  const button = screen.getByRole("button", { name: "Sign in" });
  await waitFor(() => expect(button).toHaveAttribute("aria-busy", "true"));
  await waitFor(() => expect(calls).toHaveLength(1));
});

test("shows and hides the password", async () => {
  const { user } = await openLogin();
  const password = screen.getByLabelText("Password");
  expect(password).toHaveAttribute("type", "password");
  await user.click(screen.getByRole("button", { name: "Show password" }));
  expect(password).toHaveAttribute("type", "text");
  await user.click(screen.getByRole("button", { name: "Hide password" }));
  expect(password).toHaveAttribute("type", "password");
});

test("offers the three providers disabled, as coming soon", async () => {
  await openLogin();
  const soon = screen.getAllByRole("button", { name: /Coming Soon/ });
  expect(soon).toHaveLength(3);
  for (const button of soon) expect(button).toBeDisabled();
});

test.each(["invite", "closed"])("says who may sign up where registration is %s", async (mode) => {
  document.documentElement.dataset.registration = mode;
  await openLogin();
  expect(screen.getByText("Sign up (Invite Only)")).toBeVisible();
  expect(screen.queryByRole("link", { name: /Sign up/ })).not.toBeInTheDocument();
});

test("leads to the register screen where registration is open", async () => {
  document.documentElement.dataset.registration = "open";
  await openLogin();
  expect(screen.getByRole("link", { name: "Sign up" })).toHaveAttribute("href", "/register");
  expect(screen.queryByText(/Invite Only/)).not.toBeInTheDocument();
});
