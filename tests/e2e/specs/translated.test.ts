import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectText, expectToast } from "../pages/common";
import {
  body,
  confirmPublishing,
  createIdea,
  createLink,
  logIn,
  openDetails,
  register,
} from "../pages/creator";
import {
  agree,
  agreement,
  comment,
  enterCode,
  giveDetails,
  submitDetails,
} from "../pages/recipient";
import { api } from "../support/api";
import { endedVisit, notSignedIn, type Person } from "../support/browser";
import { startEnvironment, type TestEnvironment } from "../support/environment";
import { pdf } from "../support/files";
import { codeTo, linkTo } from "../support/outbox";
import { agreeTo, importPdf, shareFully } from "../support/seed";
import { translate, translated } from "../support/translator";

const ada = { name: "Ada Quill", email: "ada@example.org", password: "brass-and-ink" };
const rosa = { name: "Rosa Lindt", email: "rosa@example.com", phone: "+41 44 123 45 67" };
const words = "A pendulum stores energy.";

describe("pages that the browser translates go on working", () => {
  let environment: TestEnvironment;
  let creator: Person;
  let reader: Person;
  let ideaId: number;
  let link: string;
  let broken = false;

  beforeAll(async () => {
    environment = await startEnvironment("translated");
    creator = await environment.person("translated-creator", [
      notSignedIn,
      /status of 401 .*\(\/api\/auth\/login\)/,
    ]);
    reader = await environment.person("translated-reader", [
      endedVisit,
      /status of 400 .*\(\/api\/recipients\/[^/]+\/verify\)/,
    ]);
    await translate(creator.page);
    await translate(reader.page);
  });
  afterAll(() => environment?.stop());

  // The tests form one story: after a failure, the rest is skipped.
  beforeEach(({ skip }) => skip(broken, "an earlier step failed"));
  afterEach(async ({ task }) => {
    broken ||= task.result?.state === "fail";
    expect(environment.complaints()).toEqual([]);
    for (const { page } of [creator, reader]) {
      expect(await page.getByText("Something went wrong").count()).toBe(0);
      expect((await translated(page)).codes).toBe(0);
    }
  });

  /** Whether the page is translated as a whole, once it no longer changes. */
  const isTranslated = (page: Page) =>
    expect.poll(async () => (await translated(page)).texts).toBeGreaterThan(5);

  test("registration and login, with their errors", async () => {
    const { page } = creator;
    await page.goto("/register");
    await isTranslated(page);
    await page.getByRole("button", { name: "Create account" }).click();
    await expectText(page, "Name must be at least 2 characters");
    await register(page, ada);
    for (const password of ["guesswork", "more-guesswork"]) {
      await page.getByLabel("Email").fill(ada.email);
      await page.getByLabel("Password", { exact: true }).fill(password);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await expectToast(page, "Invalid email or password. Please try again.");
    }
    await page.getByRole("link", { name: "Forgot password" }).click();
    await page.waitForURL("/forgot-password");
    await page.getByLabel("Email").fill(ada.email);
    await page.getByRole("button", { name: "Send Reset Link" }).click();
    await expectText(page, "Check Your Email");
    await logIn(page, ada);
    await isTranslated(page);
  });

  test("writing, saving and publishing; the words of the author stay", async () => {
    const { page, context } = creator;
    await page.getByText("Start from scratch").click();
    await page.waitForURL("/editor/new");
    await page.getByPlaceholder("Enter your idea title...").fill("Letter press");
    await body(page).getByRole("paragraph").first().click();
    await page.getByRole("button", { name: "Bold" }).click();
    await page.getByRole("button", { name: "Bold", pressed: true }).waitFor();
    await page.keyboard.type(words);
    ideaId = await createIdea(page);
    await body(page).getByText(words).click();
    await page.keyboard.press("End");
    await page.keyboard.type(" It winds itself.");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expectToast(page, "Idea updated successfully");
    await openDetails(page, "Version history");
    await isTranslated(page);
    expect(await body(page).locator("font").count()).toBe(0);
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await expectText(page, "Publish this idea?");
    await confirmPublishing(page);
    const { content } = await (await api(context).get(`/api/ideas/${ideaId}`)).json();
    expect(content).toContain(`<strong>${words} It winds itself.</strong>`);
    expect(content).not.toContain("font");
  });

  test("making links", async () => {
    const { page } = creator;
    await page.goto(`/share/${ideaId}`);
    await page.getByRole("radio", { name: /time-dependent/i }).check();
    await page.getByLabel("Expiration Date").fill("2001-01-01T00:00");
    await page.getByRole("button", { name: "Generate Share Link" }).click();
    await expectText(page, "Choose a time in the future");
    await page.getByRole("radio", { name: /share by email/i }).check();
    await page.getByLabel("Recipient Email").fill(rosa.email);
    await page.getByRole("button", { name: "Send Email Invitation" }).click();
    await expectToast(page, "Invitation sent.");
    link = await createLink(page, /full access \(/i);
    await page.getByRole("button", { name: "Copy Link" }).first().click();
    await expectToast(page, "Share link copied to clipboard!");
    await isTranslated(page);
  });

  test("entry, agreement, document and comments", async () => {
    const { page } = reader;
    await page.goto(link);
    await submitDetails(page);
    await expectText(page, "Name must be at least 3 characters");
    await isTranslated(page);
    await giveDetails(page, rosa);
    await page.waitForURL(/\/nda\//);
    const [hint, thanks] = ["Scroll to the end of the text to agree.", "Thank you for reading."];
    await page.getByText(hint).waitFor();
    await expectText(page, "The agreement is not translated: these are the words that you accept.");
    await isTranslated(page);
    expect(await agreement(page).locator("font").count()).toBe(0);
    await agreement(page).focus();
    await page.keyboard.press("End");
    await page.getByRole("button", { name: "I Agree" }).waitFor();
    await page.getByText(thanks).waitFor();
    expect(await page.getByText(hint).count()).toBe(0);
    await agree(page);
    await page.waitForURL(/\/document\//);
    await page.getByText(words).waitFor();
    await isTranslated(page);
    for (const text of ["Does it need oil?", "And how often?"]) {
      await comment(page, text);
      await expectText(page, text);
    }
    await creator.page.reload();
    await creator.page.getByText("Does it need oil?").waitFor();
    await creator.page.getByLabel("Comment for all readers").fill("A drop a year.");
    await creator.page.getByRole("button", { name: "Send" }).click();
    await creator.page.getByText("(you)").waitFor();
    await page.reload();
    await page.getByText("A drop a year.").waitFor();
    await page.getByRole("button", { name: "Close", exact: true }).click();
    const dialog = page.getByRole("alertdialog").or(page.getByRole("dialog"));
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.getByRole("heading", { name: "Your visit has ended" }).waitFor();
  });

  test("a code by mail, wrong at first", async () => {
    const { page } = reader;
    const { server } = environment;
    await page.goto(await linkTo(server, rosa.email, "/view/"));
    await giveDetails(page, rosa);
    await expectText(page, "Confirm your email address");
    const code = await codeTo(server, rosa.email);
    await enterCode(page, "12");
    await expectText(page, "Please enter the 6 digits of the code");
    await enterCode(page, code === "000000" ? "000001" : "000000");
    await expectText(page, "That code is not right. You have 4 tries left.");
    await isTranslated(page);
    await enterCode(page, `Code: ${code.slice(0, 3)}-${code.slice(3)}`);
    await page.waitForURL(/\/nda\//);
    await page.getByRole("button", { name: "Decline" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Decline" }).click();
    await expectToast(page, "Agreement Declined");
  });

  test("a PDF", async () => {
    const { page } = reader;
    const id = await importPdf(creator, pdf("Loom.pdf", ["Warp", "Weft"]), "Loom");
    const token = await shareFully(creator, id);
    await agreeTo(reader, token, rosa);
    await page.goto(`/document/${token}`);
    await page.locator(".pdf-text").getByText("Warp").waitFor();
    await page.getByRole("button", { name: "Zoom in" }).click();
    await page.locator(".pdf-text").getByText("Warp").waitFor();
    expect(await page.locator(".pdf-text font").count()).toBe(0);
  });

  test("the dashboard, the profile and logging out", async () => {
    const { page } = creator;
    await page.goto("/dashboard");
    await page.getByText("Letter press").first().waitFor();
    await page.getByText("Loom").first().hover();
    await page.getByRole("button", { name: "Delete Loom" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await expectToast(page, "Idea deleted successfully!");
    await isTranslated(page);
    await page.goto("/profile");
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("A");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expectText(page, "Name must be at least 2 characters");
    await name.fill("Ada Feder");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expectToast(page, "Profile updated");
    await page.getByRole("button", { name: "Change Password" }).first().click();
    const form = page.locator("form").filter({ has: page.getByLabel("Current Password") });
    await form.getByRole("button", { name: "Change Password" }).click();
    await expectText(page, "Current password is required");
    await isTranslated(page);
    await page.getByRole("button", { name: "Logout" }).click();
    await page.waitForURL("/login");
    await expectToast(page, "You have been logged out successfully.");
  });
});
