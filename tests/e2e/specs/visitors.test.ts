import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { expectText } from "../pages/common";
import { audit } from "../support/audit";
import { deadLink, missingPage, notSignedIn, type Person } from "../support/browser";
import { startEnvironment, type TestEnvironment } from "../support/environment";

describe("visitors without a session", () => {
  let environment: TestEnvironment;
  let visitor: Person;

  beforeAll(async () => {
    environment = await startEnvironment("visitors");
    visitor = await environment.person("visitor", [
      missingPage,
      notSignedIn,
      /status of 401 .*\(\/api\/auth\/login\)/,
      ...deadLink,
    ]);
  });
  afterAll(() => environment?.stop());
  afterEach(() => expect(environment.complaints()).toEqual([]));

  test("a stored user without a session is removed", async () => {
    const { page } = visitor;
    await page.goto("/about");
    await page.evaluate(() => localStorage.setItem("currentUser", '{"name":"Ghost"}'));
    await page.goto("/dashboard");
    await page.waitForURL("/login");
    expect(await page.evaluate(() => localStorage.getItem("currentUser"))).toBeNull();
  });

  test("an unknown address shows the specified text", async () => {
    await visitor.page.goto("/no/such/page");
    await expectText(visitor.page, "404 Page Not Found");
    await expectText(visitor.page, "Did you forget to add the page to the router?");
  });

  test("Access Denied leads home", async () => {
    const { page } = visitor;
    await page.goto(`/view/${"x".repeat(43)}`);
    await expectText(page, "The link you're trying to access is invalid or has expired.");
    await page.getByRole("link", { name: "Return Home" }).click();
    await page.waitForURL("/");
  });

  test("a click counts though the form was autofilled just before", async () => {
    const { page } = visitor;
    await page.goto("/login");
    await page.getByLabel("Email").focus();
    await page.evaluate(() => {
      const fields = document.querySelectorAll<HTMLInputElement>("form input");
      const values = ["nobody@example.org", "guesswork"];
      for (const [index, field] of fields.entries()) {
        // As by browser autofill: past React, which is notified by the event.
        const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value") ?? {};
        set?.call(field, values[index]);
        field.dispatchEvent(new Event("input", { bubbles: true }));
      }
    });
    const sent = page.waitForRequest("**/api/auth/login");
    await page.getByRole("button", { name: "Sign in", exact: true }).click({ delay: 200 });
    await sent;
    await expectText(page, "Invalid email or password. Please try again.");
  });

  test("a login that cannot be right is not even sent", async () => {
    const { page } = visitor;
    await page.goto("/login");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expectText(page, "Please enter a valid email address");
    await expectText(page, "Password must be at least 6 characters");
    await audit(page, "login-invalid");
  });

  test("a wrong password is refused, and can be corrected", async () => {
    const { page } = visitor;
    await page.getByLabel("Email").fill("nobody@example.org");
    await page.getByLabel("Password", { exact: true }).fill("guesswork");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expectText(page, "Invalid email or password. Please try again.");
    expect(new URL(page.url()).pathname).toBe("/login");
    expect(await page.getByLabel("Email").inputValue()).toBe("nobody@example.org");
    await audit(page, "login-refused");
  });

  test("the cookie notice asks once", async () => {
    const { page } = visitor;
    const notice = page.getByRole("region", { name: "Cookies" });
    for (const [button, stored] of [
      ["Accept Cookies", "true"],
      ["Decline", "false"],
      ["Close cookie notice", "false"],
    ] as const) {
      await page.evaluate(() => localStorage.removeItem("cookieConsent"));
      await page.goto("/contact");
      await notice.waitFor();
      if (button === "Accept Cookies") await audit(page, "cookie-notice");
      await notice.getByRole("button", { name: button }).click();
      await notice.waitFor({ state: "detached" });
      expect(await page.evaluate(() => localStorage.getItem("cookieConsent"))).toBe(stored);
    }
    await page.reload();
    await expectText(page, "Contact");
    // By then the notice's code could have been loaded.
    await page.waitForLoadState("networkidle");
    expect(await notice.count()).toBe(0);
  });
});
