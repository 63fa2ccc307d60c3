import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { says } from "../pages/common";
import { audit } from "../support/audit";
import { deadLink, launch, newPerson, type Person } from "../support/browser";
import { type Server, startServer } from "../support/server";

describe("visitors without a session", () => {
  let server: Server;
  let browser: Browser;
  let visitor: Person;

  beforeAll(async () => {
    server = await startServer("visitors");
    browser = await launch();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  beforeEach(async () => {
    visitor = await newPerson(browser, "visitor", server.url, [
      /status of 401 .*\(\/api\/auth\/me\)/,
      ...deadLink,
    ]);
  });

  afterEach(async () => {
    await visitor.leave();
    expect(visitor.complaints).toEqual([]);
  });

  test.each(["/dashboard", "/editor/new", "/share/1", "/profile"])(
    "%s sends them to the login",
    async (path) => {
      const { page, context } = visitor;
      await context.addInitScript(() => localStorage.setItem("currentUser", '{"name":"Ghost"}'));
      await page.goto(path);
      await page.waitForURL("/login");
      expect(await page.evaluate(() => localStorage.getItem("currentUser"))).toBeNull();
    },
  );

  test("an unknown address shows the not-found screen", async () => {
    await visitor.page.goto("/no/such/page");
    await says(visitor.page, "404 Page Not Found");
    await says(visitor.page, "Did you forget to add the page to the router?");
    await audit(visitor.page, "not-found");
  });

  test.each(["view", "collect", "nda", "document"])(
    "a dead link under /%s denies access",
    async (screen) => {
      const { page } = visitor;
      await page.goto(`/${screen}/${"x".repeat(43)}`);
      await says(page, "Access Denied");
      await page.getByText("Return Home").click();
      await page.waitForURL("/");
    },
  );

  test("a wrong password shows the error and keeps the person on the login", async () => {
    const { page } = visitor;
    await page.goto("/login");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await says(page, "Please enter a valid email address");
    await says(page, "Password must be at least 6 characters");
    await audit(page, "login-invalid");
  });
});
