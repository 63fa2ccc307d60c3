import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { expectText, expectToast } from "../pages/common";
import { logIn } from "../pages/creator";
import { api } from "../support/api";
import { audit } from "../support/audit";
import { notSignedIn, type Person } from "../support/browser";
import { startEnvironment, type TestEnvironment } from "../support/environment";
import { png } from "../support/files";
import { linkTo } from "../support/outbox";
import { signIn } from "../support/seed";

const ada = { name: "Ada Quill", email: "ada@example.org", password: "brass-and-ink" };

describe("an account and the way to it", () => {
  let environment: TestEnvironment;
  let visitor: Person;
  let creator: Person;
  let resetLink: string;
  let password = ada.password;

  beforeAll(async () => {
    environment = await startEnvironment("account");
    visitor = await environment.person("account-visitor", [
      notSignedIn,
      /status of 400 .*\/api\/auth\/reset-password/,
      /status of 409 .*\/api\/auth\/confirm-email\/look/,
    ]);
    creator = await environment.person("account-creator", [
      notSignedIn,
      /status of 400 .*\/api\/(auth\/change-password|profile)/,
    ]);
    await signIn(creator, ada);
  });
  afterAll(() => environment?.stop());
  afterEach(() => expect(environment.complaints()).toEqual([]));

  test("a visitor joins the waitlist", async () => {
    const { page } = visitor;
    await page.goto("/");
    await page.getByRole("button", { name: "Get Started" }).click();
    const dialog = page.getByRole("dialog");
    await expectText(page, "IdeaVault is in private beta");
    await audit(page, "waitlist-beta");
    await dialog.getByRole("button", { name: "Join Waitlist" }).click();
    await dialog.getByRole("button", { name: "Join Waitlist" }).click();
    for (const problem of [
      "Name is required",
      "Please enter a valid email",
      "Profession is required",
    ]) {
      await expectText(page, problem);
    }
    await audit(page, "waitlist-invalid");
    await dialog.getByLabel("Name").fill("Max Frei");
    await dialog.getByLabel("Email").fill("max@example.org");
    await dialog.getByLabel("Profession").fill("Printer");
    await dialog.getByRole("button", { name: "Join Waitlist" }).click();
    await dialog.getByText("Thank you for joining our waitlist.").waitFor();
    await audit(page, "waitlist-joined");
    await dialog.getByText("Close", { exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Get Started" }).click();
    await dialog.getByRole("button", { name: "Join Waitlist" }).click();
    expect(await dialog.getByLabel("Name").inputValue()).toBe("");
    await page.keyboard.press("Escape");
  });

  test("a confirmation link waits for its owner, who is asked for the password elsewhere", async () => {
    const { server } = environment;
    const link = await linkTo(server, ada.email, "/confirm-email/");
    for (const { page } of [visitor, creator]) {
      await page.goto(link);
      await page.getByRole("button", { name: "Confirm this address" }).waitFor();
      await expectText(page, ada.email);
    }
    expect(await creator.page.getByLabel("Password of this account").count()).toBe(0);
    const { page } = visitor;
    await audit(page, "confirm-email");
    await page.getByLabel("Password of this account").fill(password);
    await page.getByRole("button", { name: "Confirm this address" }).click();
    await expectText(page, "Your email address is confirmed");
    await page.goto(link);
    await expectText(page, "This link has already been used");
  });

  test("a forgotten password: the email has a link", async () => {
    const { page } = visitor;
    await page.goto("/login");
    await page.getByRole("link", { name: "Forgot password" }).click();
    await page.waitForURL("/forgot-password");
    await page.getByLabel("Email").fill("ADA@example.org");
    await page.getByRole("button", { name: "Send Reset Link" }).click();
    await expectToast(page, "Password reset instructions have been sent to your email.");
    await expectText(page, "Check Your Email");
    await audit(page, "forgot-password-sent");
    resetLink = await linkTo(environment.server, ada.email, "/reset-password/");
    await page.getByRole("button", { name: "Try Again" }).click();
    await expectText(page, "Reset Password");
  });

  test("the link sets a new password, which logs in", async () => {
    const { page } = visitor;
    password = "copper-and-lead";
    await page.goto(resetLink);
    await page.getByLabel("New Password", { exact: true }).fill(password);
    await page.getByLabel("Confirm New Password").fill("copper-and-tin");
    await page.getByRole("button", { name: "Reset Password" }).click();
    await expectText(page, "Passwords don't match");
    await page.getByLabel("Confirm New Password").fill(password);
    await page.getByRole("button", { name: "Reset Password" }).click();
    await page.waitForURL("/login");
    await logIn(page, { ...ada, password });
  });

  test("the link works once", async () => {
    const { page } = visitor;
    await page.goto(resetLink);
    await page.getByLabel("New Password", { exact: true }).fill("another-one");
    await page.getByLabel("Confirm New Password").fill("another-one");
    await page.getByRole("button", { name: "Reset Password" }).click();
    await expectText(page, "This reset link no longer works");
  });

  test("the reset ended other sessions; a login leads back to the requested page", async () => {
    const { page } = creator;
    await page.goto("/profile");
    await page.waitForURL("/login");
    await page.getByLabel("Email").fill(ada.email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL("/profile");
  });

  test("the profile: name and photo", async () => {
    const { page } = creator;
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("A");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expectText(page, "Name must be at least 2 characters");
    await name.fill("Ada Feder");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expectToast(page, "Profile updated");
    await expectText(page, "Email cannot be changed");
    const choosing = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Change Photo" }).click();
    await (await choosing).setFiles(png("me.png", 320, [40, 90, 120]));
    await expectToast(page, "Image uploaded");
    await audit(page, "profile-photo");
    await page.goto("/dashboard");
    await expectText(page, "Hi Ada");
    const photo = page.getByRole("button", { name: "Account" }).locator("img");
    await expect
      .poll(() => photo.evaluate((img: HTMLImageElement) => img.naturalWidth))
      .toBeGreaterThan(0);
  });

  test("the profile: a new password, after a wrong one", async () => {
    const { page } = creator;
    await page.goto("/profile");
    const open = page.getByRole("button", { name: "Change Password" }).first();
    await open.click();
    const form = page.locator("form").filter({ has: page.getByLabel("Current Password") });
    const submit = form.getByRole("button", { name: "Change Password" });
    await submit.click();
    await expectText(page, "Current password is required");
    await audit(page, "profile-password");
    await form.getByLabel("Current Password").fill("guesswork");
    await form.getByLabel("New Password", { exact: true }).fill(ada.password);
    await form.getByLabel("Confirm New Password").fill(ada.password);
    await submit.click();
    await form.getByLabel("Current Password").and(page.locator("[aria-invalid=true]")).waitFor();
    await form.getByLabel("Current Password").fill(password);
    await submit.click();
    await expectToast(page, "Password changed");
    await form.waitFor({ state: "detached" });
    password = ada.password;
  });

  test("logging out ends the session", async () => {
    const { page } = creator;
    await page.getByRole("button", { name: "Logout" }).click();
    await page.waitForURL("/login");
    await expectToast(page, "You have been logged out successfully.");
    expect((await api(creator.context).get("/api/auth/me")).status()).toBe(401);
    await logIn(page, { ...ada, password });
  });
});
