import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { expectText, expectToast } from "../pages/common";
import { logIn } from "../pages/creator";
import { audit } from "../support/audit";
import { totpCode } from "../support/authenticator";
import { notSignedIn, type Person } from "../support/browser";
import { startEnvironment, type TestEnvironment } from "../support/environment";
import { mailTo } from "../support/outbox";
import { signIn } from "../support/seed";

const ada = { name: "Ada Quill", email: "ada@example.org", password: "brass-and-ink" };

describe("two-step sign-in", () => {
  let environment: TestEnvironment;
  let creator: Person;
  let secret: string;
  let confirmedWith: string;
  let recoveryCodes: string[];

  beforeAll(async () => {
    environment = await startEnvironment("two-step");
    creator = await environment.person("two-step", [
      notSignedIn,
      /status of 401 .*\(\/api\/auth\/login\)/,
      /status of 400 .*\(\/api\/auth\/totp\)/,
    ]);
    await signIn(creator, ada);
  });
  afterAll(() => environment?.stop());
  afterEach(() => expect(environment.complaints()).toEqual([]));

  const section = () => creator.page.getByRole("region", { name: "Two-step sign-in" });

  /** Signs out, and in again up to the code. */
  const openCodeForm = async () => {
    const { page } = creator;
    await page.goto("/profile");
    // All requests of the page are finished before the session ends.
    await section().getByRole("button", { name: "Turn off" }).waitFor();
    await page.getByRole("button", { name: "Logout" }).click();
    await page.waitForURL("/login");
    // The address changes before the page does.
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    await page.getByLabel("Email").fill(ada.email);
    await page.getByLabel("Password", { exact: true }).fill(ada.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByLabel("Code", { exact: true }).and(page.locator(":focus")).waitFor();
  };

  test("is set up by keyboard, with the password and a code from the app", async () => {
    const { page } = creator;
    await page.goto("/profile");
    await section().getByRole("button", { name: "Set up" }).press("Enter");
    await page.keyboard.type("guesswork");
    await page.keyboard.press("Enter");
    await expectText(page, "Current password is incorrect");
    await audit(page, "two-step-password");
    await section().getByLabel("Your password").fill(ada.password);
    await page.keyboard.press("Enter");
    await section()
      .getByRole("img", { name: /QR code/ })
      .waitFor();
    await audit(page, "two-step-setup");
    secret = (
      await section()
        .getByText(/^([A-Z2-7]{4} ?){8}$/)
        .innerText()
    ).replaceAll(" ", "");
    confirmedWith = totpCode(secret);
    await section().getByLabel("Code", { exact: true }).fill(confirmedWith);
    await page.keyboard.press("Enter");
    await expectToast(page, "Two-step sign-in is on");
    recoveryCodes = await section().getByRole("listitem").allInnerTexts();
    expect(new Set(recoveryCodes).size).toBe(10);
    await audit(page, "two-step-recovery-codes");
    const saving = page.waitForEvent("download");
    await section().getByRole("button", { name: "Download" }).click();
    expect((await saving).suggestedFilename()).toBe("IdeaVault-recovery-codes.txt");
    await section().getByRole("button", { name: "I have saved them" }).click();
    await section().getByText("You have 10 recovery codes left.").waitFor();
    await audit(page, "two-step-on");
    await mailTo(environment.server, ada.email, "Two-step sign-in is on");
  });

  test("then accepts the app's next code after the password", async () => {
    const { page } = creator;
    await openCodeForm();
    await audit(page, "login-code");
    // Confirming the app has used this code, even within its time step.
    await page.keyboard.type(confirmedWith);
    await page.keyboard.press("Enter");
    await page
      .getByText(/^This code does not work\./)
      .first()
      .waitFor();
    expect(await page.getByLabel("Password", { exact: true }).inputValue()).toBe(ada.password);
    await page.getByLabel("Code", { exact: true }).fill(totpCode(secret, 1));
    await page.keyboard.press("Enter");
    await expectToast(page, "You have been logged in successfully!");
    await page.waitForURL(/\/(dashboard|profile)$/);
  });

  test("accepts a recovery code, once", async () => {
    const { page } = creator;
    await openCodeForm();
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.keyboard.type(recoveryCodes[0] ?? "");
    await page.keyboard.press("Enter");
    await expectToast(page, "You have been logged in successfully!");
    await page.waitForURL(/\/(dashboard|profile)$/);
    await page.goto("/profile");
    await section().getByText("You have 9 recovery codes left.").waitFor();
  });

  test("is turned off with the password, after which a password alone logs in", async () => {
    const { page } = creator;
    await section().getByRole("button", { name: "Turn off" }).click();
    await section().getByLabel("Your password").fill(ada.password);
    await page.keyboard.press("Enter");
    await expectToast(page, "Two-step sign-in is off");
    await section().getByRole("button", { name: "Set up" }).waitFor();
    await page.getByRole("button", { name: "Logout" }).click();
    await page.waitForURL("/login");
    await logIn(page, ada);
  });
});
