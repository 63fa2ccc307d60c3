import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectText, expectToast } from "../pages/common";
import { body } from "../pages/creator";
import { agreement, commentBox } from "../pages/recipient";
import { endedVisit, type Person } from "../support/browser";
import { startEnvironment, type TestEnvironment } from "../support/environment";
import { expectFocus, expectFocusTrap, tabAndPress, tabAndType, tabTo } from "../support/keyboard";
import { deferScripts } from "../support/network";

/** Fails the test on any mouse input. */
async function disableMouse({ context }: Person): Promise<void> {
  await context.addInitScript(() => {
    for (const type of ["mousedown", "pointerdown", "touchstart"]) {
      const refuse = () => {
        throw new Error(`${type} in a keyboard test`);
      };
      addEventListener(type, refuse, { capture: true });
    }
  });
}

describe("keyboard alone, from sign-up to a comment", () => {
  const password = "brass-and-ink";
  let environment: TestEnvironment;
  let creator: Person;
  let recipient: Person;
  let link: string;
  let broken = false;

  beforeAll(async () => {
    environment = await startEnvironment("keyboard");
    creator = await environment.person("keyboard-creator", [], { fresh: true });
    recipient = await environment.person("keyboard-recipient", [endedVisit], { fresh: true });
    await Promise.all([creator, recipient].map(disableMouse));
  });
  afterAll(() => environment?.stop());
  beforeEach(({ skip }) => skip(broken, "an earlier step failed"));
  afterEach(({ task }) => {
    broken ||= task.result?.state === "fail";
    expect(environment.complaints()).toEqual([]);
  });

  test("the first stop of a page skips to its content, from before the app runs", async () => {
    const { page } = creator;
    const release = await deferScripts(page);
    await page.goto("/register", { waitUntil: "commit" });
    await expectText(page, "Create your account");
    const skip = page.getByRole("link", { name: "Skip to content" });
    await page.keyboard.press("Tab");
    await expectFocus(skip);
    release();
    await page.locator("form:not([inert])").waitFor();
    await expectFocus(skip);
    await page.keyboard.press("Enter");
    await expectFocus(page.locator("main"));
  });

  test("the creator registers and logs in", async () => {
    const { page } = creator;
    await tabAndType(page, page.getByLabel("Full Name"), "Ada Quill");
    await tabAndType(page, page.getByLabel("Email"), "ada@example.org");
    await tabAndType(page, page.getByLabel("Password", { exact: true }), password);
    await tabAndType(page, page.getByLabel("Confirm Password"), password);
    await page.keyboard.press("Enter");
    await expectToast(page, "Account created successfully! Please log in.");
    await page.waitForURL("/login");
    await startsAtItsTop(page);
    await tabAndType(page, page.getByLabel("Email"), "ada@example.org");
    await tabAndType(page, page.getByLabel("Password", { exact: true }), password);
    await tabAndPress(page, page.getByRole("button", { name: "Sign in", exact: true }));
    await page.waitForURL("/dashboard");
    await startsAtItsTop(page);
  });

  test("an invalid field gets the focus", async () => {
    const { page } = recipient;
    await page.goto("/login");
    await tabAndPress(page, page.getByRole("button", { name: "Sign in", exact: true }));
    await expectText(page, "Please enter a valid email address");
    await expectFocus(page.getByLabel("Email"));
  });

  test("the account menu opens, moves and closes by keys", async () => {
    const { page } = creator;
    const account = page.getByRole("button", { name: "Account" });
    // It is above the heading that has focus.
    await tabTo(page, account, "Shift+Tab");
    await page.keyboard.press("Enter");
    await expectFocus(page.getByRole("menuitem", { name: "Profile Settings" }));
    await page.keyboard.press("ArrowDown");
    await expectFocus(page.getByRole("menuitem", { name: "Log Out" }));
    await page.keyboard.press("Escape");
    await expectFocus(account);
  });

  test("the creator writes and formats", async () => {
    const { page } = creator;
    await tabAndPress(page, page.getByRole("button", { name: "Start from scratch" }));
    await page.waitForURL("/editor/new");
    await body(page).waitFor();
    await tabTo(page, page.getByLabel("Title", { exact: true }));
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Self-winding letter press");
    await page.keyboard.press("Enter");
    await expectFocus(body(page));
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Control+b");
    await page.keyboard.type("A pendulum stores the energy");
    await body(page).locator("strong, b").filter({ hasText: "A pendulum" }).waitFor();
  });

  test("the toolbar is one tab stop, and arrow keys move inside", async () => {
    const { page } = creator;
    await page.keyboard.press("Shift+Tab");
    await expectFocus(page.getByLabel("Title", { exact: true }));
    await page.keyboard.press("Shift+Tab");
    const toolbar = page.getByRole("toolbar");
    const focused = toolbar.locator(":focus");
    const first = await focused.getAttribute("aria-label");
    await page.keyboard.press("ArrowRight");
    const second = await focused.getAttribute("aria-label");
    expect([first, second]).not.toContain(null);
    expect(second).not.toBe(first);
    await page.keyboard.press("ArrowLeft");
    expect(await focused.getAttribute("aria-label")).toBe(first);
  });

  test("the assistant's dialog traps focus and returns it", async () => {
    const { page } = creator;
    const opener = page.getByRole("button", { name: "Write with AI" });
    await tabTo(page, opener, "Shift+Tab");
    await page.keyboard.press("Enter");
    await expectFocusTrap(page, page.getByRole("dialog"), opener);
  });

  test("the creator saves and publishes", async () => {
    const { page } = creator;
    await tabAndPress(page, page.getByRole("button", { name: "Create Idea" }));
    await expectToast(page, "Idea created successfully");
    await page.waitForURL(/\/editor\/\d+$/);
    const publish = page.getByRole("button", { name: "Publish", exact: true });
    await tabTo(page, publish, "Shift+Tab");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("alertdialog");
    await expectFocusTrap(page, dialog, publish);
    await page.keyboard.press("Enter");
    await tabAndPress(page, dialog.getByRole("button", { name: "Publish idea" }));
    await expectToast(page, "Idea published successfully");
    await dialog.waitFor({ state: "detached" });
  });

  test("the creator makes a link and copies it", async () => {
    const { page } = creator;
    await tabAndPress(page, page.getByRole("link", { name: "Share It" }));
    await page.waitForURL(/\/share\/\d+$/);
    await startsAtItsTop(page);
    await tabTo(page, page.getByRole("radio", { name: /one-time view/i }));
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    expect(await page.getByRole("radio", { name: /one-time view/i }).isChecked()).toBe(true);
    await tabAndPress(page, page.getByRole("button", { name: "Generate Share Link" }));
    const field = page.getByRole("textbox", { name: "Your new link" });
    await field.waitFor();
    await tabAndPress(page, page.getByRole("button", { name: "Copy", exact: true }));
    await expectToast(page, "Share link copied to clipboard!");
    link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toBe(await field.inputValue());
  });

  test("the recipient opens it and gives details", async () => {
    const { page } = recipient;
    await page.goto(link);
    await tabAndType(page, page.getByLabel(/name/i), "Rosa Lindt");
    await tabAndType(page, page.getByLabel(/email/i), "rosa@example.com");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/nda\//);
    await startsAtItsTop(page);
  });

  test("the recipient declines only after confirmation, then reads and agrees", async () => {
    const { page } = recipient;
    const decline = page.getByRole("main").getByRole("button", { name: "Decline" });
    await tabAndPress(page, decline);
    await expectFocusTrap(page, page.getByRole("alertdialog"), decline);
    await tabTo(page, agreement(page), "Shift+Tab");
    const agree = page.getByRole("button", { name: "I Agree" });
    // The browser gives up a scroll while the page still changes.
    await expect
      .poll(async () => {
        await page.keyboard.press("End");
        return agree.isVisible();
      })
      .toBe(true);
    await tabAndPress(page, agree);
    await page.waitForURL(/\/document\//);
    await expectText(page, "A pendulum stores the energy");
    await startsAtItsTop(page);
  });

  test("the recipient comments and closes", async () => {
    const { page } = recipient;
    await tabAndType(page, commentBox(page), "Does the pendulum need oil?");
    await tabAndPress(page, page.getByRole("button", { name: "Send" }));
    await expectText(page, "just now");
    const close = page.getByRole("main").getByRole("button", { name: "Close", exact: true });
    await tabTo(page, close, "Shift+Tab");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("alertdialog");
    await expectFocusTrap(page, dialog, close);
    await page.keyboard.press("Enter");
    await tabAndPress(page, dialog.getByRole("button", { name: "Close document" }));
    await expectText(page, "Your visit has ended");
    await startsAtItsTop(page);
    await tabAndPress(page, page.getByRole("link", { name: "Return Home" }));
    await page.waitForURL("/");
  });

  test("the cookie question can be answered by keys, too", async () => {
    const { page } = recipient;
    // Late content would move the focused element.
    await page.getByRole("region", { name: "Vault Agent" }).waitFor();
    const notice = page.getByRole("region", { name: "Cookies" });
    await tabAndPress(page, notice.getByRole("button", { name: "Accept Cookies" }));
    await notice.waitFor({ state: "detached" });
  });

  /** Expects focus on the new page's heading after a navigation, so that Tab starts there. */
  async function startsAtItsTop(page: Page): Promise<void> {
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
  }
});
