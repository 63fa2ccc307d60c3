import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { expectText, expectToast } from "../pages/common";
import { body, createIdea, createLink, logIn } from "../pages/creator";
import { giveDetails } from "../pages/recipient";
import { audit } from "../support/audit";
import { notSignedIn, type Person } from "../support/browser";
import { startEnvironment, type TestEnvironment } from "../support/environment";
import { signIn } from "../support/seed";

const ada = { name: "Ada Quill", email: "ada@example.org", password: "brass-and-ink" };
const rosa = { name: "Rosa Lindt", email: "rosa@example.com" };
const blocked = /Your browser does not keep this site's cookies/;

describe("a browser that keeps nothing", () => {
  let environment: TestEnvironment;
  let creator: Person;
  let reader: Person;
  let link: string;

  beforeAll(async () => {
    environment = await startEnvironment("blocked");
    creator = await environment.person("blocked-creator", [notSignedIn]);
    reader = await environment.person("blocked-reader", [
      notSignedIn,
      // The header asks as well, right after the login.
      /status of 401 .*\(\/api\/notices\/unread\)/,
    ]);
    await signIn(creator, ada);
    await creator.context.clearCookies();
  });
  afterAll(() => environment?.stop());
  afterEach(() => expect(environment.complaints()).toEqual([]));

  test("without storage and the clipboard, an idea is written and shared", async () => {
    const { page } = creator;
    await page.addInitScript(() => {
      for (const area of ["localStorage", "sessionStorage"]) {
        Object.defineProperty(window, area, {
          get() {
            throw new DOMException("Access is denied for this document.", "SecurityError");
          },
        });
      }
      // As without https.
      Object.defineProperty(navigator, "clipboard", { value: undefined });
    });
    await logIn(page, ada);
    await page.getByText("Start from scratch").click();
    await page.waitForURL("/editor/new");
    await page.getByPlaceholder("Enter your idea title...").fill("Letter press");
    await body(page).getByRole("paragraph").first().click();
    await page.keyboard.type("A pendulum.");
    const id = await createIdea(page);
    await page.goto(`/share/${id}`);
    link = await createLink(page, /full access \(/i);
    await page.getByRole("button", { name: "Copy Link" }).first().click();
    await expectToast(page, "Share link copied to clipboard!");
    await page.goto("/profile");
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("");
    await name.press("Control+V");
    expect(await name.inputValue()).toBe(link);
    await name.fill(ada.name);
    await page.getByRole("button", { name: "Logout" }).click();
    await page.waitForURL("/login");
  });

  test("without cookies, a login and a link say so, and nobody is registered twice", async () => {
    const { page, context } = reader;
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") sent.push(new URL(request.url()).pathname);
    });
    // As a browser that keeps none.
    await page.route("**/api/**", async (route) => {
      await context.clearCookies();
      await route.continue();
    });
    await page.goto(link);
    await giveDetails(page, rosa);
    await page.getByRole("alert").getByText(blocked).waitFor();
    expect(await page.getByRole("button", { name: /Continue/ }).isDisabled()).toBe(true);
    expect(sent).toEqual(["/api/recipients"]);
    await audit(page, "collect-without-cookies");

    await page.goto("/login");
    await page.getByLabel("Email").fill(ada.email);
    await page.getByLabel("Password", { exact: true }).fill(ada.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("alert").getByText(blocked).waitFor();
    await expectText(page, "Welcome back");
  });
});
