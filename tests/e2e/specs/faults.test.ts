import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { expectText, expectToast } from "../pages/common";
import { body, choosePdf, confirmPublishing, logIn } from "../pages/creator";
import { api } from "../support/api";
import { audit } from "../support/audit";
import { notSignedIn, type Person } from "../support/browser";
import { startEnvironment, type TestEnvironment } from "../support/environment";
import { pdf } from "../support/files";
import { deferRequest, loseAnswer, slowUploads } from "../support/network";
import { saveDraft, signIn } from "../support/seed";

const ada = { name: "Ada Quill", email: "ada@example.org", password: "brass-and-ink" };
const before = "A pendulum stores energy.";
const after = " It needs no winding.";

describe("when something goes wrong, no text is lost", () => {
  let environment: TestEnvironment;
  let creator: Person;
  let ideaId: number;

  beforeAll(async () => {
    environment = await startEnvironment("faults");
    creator = await environment.person("faults-creator", [
      notSignedIn,
      /status of 401 .*\(\/api\/ideas/,
      /status of 409 .*\(\/api\/ideas\/\d+(\/working-copy)?\)/,
      /net::ERR_(INTERNET_DISCONNECTED|CONNECTION_RESET)/,
    ]);
    await signIn(creator, ada);
  });
  afterAll(() => environment?.stop());
  afterEach(() => expect(environment.complaints()).toEqual([]));

  async function write(page: Page, text: string): Promise<void> {
    await body(page).getByText(before).click();
    await page.keyboard.press("End");
    await page.keyboard.type(text);
  }

  const save = (page: Page) => page.getByRole("button", { name: "Save Changes" }).click();

  test("the session expires while a user writes: saving reports it and keeps the text", async () => {
    const { page, context } = creator;
    ideaId = await saveDraft(creator, "Letter press", `<p>${before}</p>`);
    await page.goto(`/editor/${ideaId}`);
    await write(page, after);
    await context.clearCookies();
    await save(page);
    await expectToast(page, "Failed to update idea");
    const alert = page.getByRole("alert").filter({ hasText: "You are no longer signed in." });
    await alert.getByText("Your text is kept in this browser.").waitFor();
    await body(page)
      .getByText(before + after)
      .waitFor();
    await audit(page, "editor-signed-out");
  });

  test("after a login in a second tab, the first one saves by itself", async () => {
    const { page, context } = creator;
    const opening = context.waitForEvent("page");
    await page.getByRole("link", { name: "Sign in on a new tab" }).click();
    const tab = await opening;
    await logIn(tab, ada);
    await tab.close();
    await expect.poll(() => storedContent(ideaId)).toContain(before + after);
    await page.getByText("You are no longer signed in.").waitFor({ state: "hidden" });
  });

  test("an expired session and a closed page: the login leads back to the draft", async () => {
    const { page, context } = creator;
    await write(page, " Not saved yet.");
    await context.clearCookies();
    // Not a navigation of the app: as if the tab had crashed.
    await page.goto("about:blank");
    await page.goto(`/editor/${ideaId}`);
    await page.waitForURL("/login");
    await page.getByLabel("Email").fill(ada.email);
    await page.getByLabel("Password", { exact: true }).fill(ada.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL(`/editor/${ideaId}`);
    const offer = page.getByRole("region", { name: "Unsaved draft" });
    await offer.waitFor();
    await body(page).getByText(before).waitFor();
    expect(await body(page).textContent()).not.toContain("Not saved yet.");
    await audit(page, "editor-draft-offered");
    await offer.getByRole("button", { name: "Restore" }).click();
    await body(page).getByText("Not saved yet.").waitFor();
    await save(page);
    await expectToast(page, "Idea updated successfully");
  });

  test("unsaved text waits on another computer, and is gone once it is saved there", async () => {
    const { page } = creator;
    await write(page, " From the desk.");
    const kept = page.waitForResponse((response) => response.url().endsWith("/working-copy"));
    // As if the lid were closed: there is no hidden page in a browser without a screen.
    await page.evaluate(() => window.dispatchEvent(new Event("pagehide")));
    expect((await kept).status()).toBe(204);
    const elsewhere = await environment.person("faults-elsewhere", [notSignedIn]);
    await logIn(elsewhere.page, ada);
    await elsewhere.page.goto(`/editor/${ideaId}`);
    const offer = elsewhere.page.getByRole("region", { name: "Unsaved draft" });
    await offer.waitFor();
    await audit(elsewhere.page, "editor-copy-offered");
    await offer.getByRole("button", { name: "Restore" }).click();
    await body(elsewhere.page).getByText("From the desk.").waitFor();
    await save(elsewhere.page);
    await expectToast(elsewhere.page, "Idea updated successfully");
    await elsewhere.page.reload();
    await body(elsewhere.page).getByText("From the desk.").waitFor();
    expect(await offer.count()).toBe(0);
    await page.reload();
    await body(page).getByText("From the desk.").waitFor();
    expect(await page.getByRole("region", { name: "Unsaved draft" }).count()).toBe(0);
  });

  test("leaving unsaved text asks first", async () => {
    const { page } = creator;
    await write(page, " Once more.");
    await page.getByRole("link", { name: "Back to Dashboard" }).click();
    await expectText(page, "Leave without saving?");
    await audit(page, "editor-leaving");
    await page.getByRole("button", { name: "Stay" }).click();
    expect(new URL(page.url()).pathname).toBe(`/editor/${ideaId}`);
    await body(page).getByText("Once more.").waitFor();
  });

  test("the network is down: saving reports it, and happens by itself when it is back", async () => {
    const { page, context } = creator;
    await context.setOffline(true);
    await save(page);
    const alert = page.getByRole("alert").filter({ hasText: "There is no connection" });
    await alert.waitFor();
    // No network is back before the page has noticed that it is away.
    await page.waitForFunction(() => !navigator.onLine);
    await context.setOffline(false);
    await expectToast(page, "Idea updated successfully");
    await alert.waitFor({ state: "detached" });
    await expect.poll(() => storedContent(ideaId)).toContain("Once more.");
  });

  test("saved in another tab meanwhile: the editor shows both texts, and neither is lost", async () => {
    const { page, context } = creator;
    const [theirs, mine] = ["From the other tab.", "From this one."];
    const tab = await context.newPage();
    await tab.goto(`/editor/${ideaId}`);
    await write(tab, ` ${theirs}`);
    await save(tab);
    await expectToast(tab, "Idea updated successfully");
    await tab.close();

    await write(page, ` ${mine}`);
    await save(page);
    const dialog = page.getByRole("dialog", { name: "This idea was saved elsewhere" });
    await dialog.getByRole("region", { name: "Your version" }).getByText(mine).waitFor();
    await dialog.getByRole("region", { name: "Saved version" }).getByText(theirs).waitFor();
    await audit(page, "editor-conflict");
    expect(await storedContent(ideaId)).not.toContain(mine);

    await page.keyboard.press("Escape");
    await body(page).getByText(mine).waitFor();
    await save(page);
    await dialog.getByRole("button", { name: "Take the saved one" }).click();
    await body(page).getByText(theirs).waitFor();
    const offer = page.getByRole("region", { name: "Unsaved draft" });
    await offer.getByRole("button", { name: "Restore" }).click();
    await body(page).getByText(mine).waitFor();
    await save(page);
    await dialog.getByRole("button", { name: "Keep mine" }).click();
    await expect.poll(() => storedContent(ideaId)).toContain(mine);
  });

  test("published in another tab meanwhile: saving is refused, the text stays", async () => {
    const { page, context } = creator;
    await write(page, " Too late.");
    const tab = await context.newPage();
    await tab.goto(`/editor/${ideaId}`);
    await tab.getByRole("button", { name: "Publish", exact: true }).click();
    await confirmPublishing(tab);
    await tab.close();
    await save(page);
    await expectToast(page, "Failed to update idea");
    await body(page).getByText("Too late.").waitFor();
    await page.getByRole("alert").filter({ hasText: "kept in this browser" }).waitFor();
    await audit(page, "editor-refused");
    expect(await storedContent(ideaId)).not.toContain("Too late.");
    await page.getByRole("button", { name: "Save as a new idea" }).click();
    await expectToast(page, "Idea created successfully");
    await expect.poll(() => page.url()).not.toMatch(new RegExp(`/${ideaId}$`));
    await body(page).getByText("Too late.").waitFor();
  });

  test("an interrupted upload is reported, and a retry works", async () => {
    const { page } = creator;
    await page.goto("/dashboard");
    const upload = await deferRequest(page, "/api/ideas/pdf");
    await choosePdf(page, pdf("Loom.pdf", ["Warp"]));
    await expectText(page, "Uploading PDF...");
    upload.abort();
    const alert = page.getByRole("alert").filter({ hasText: "Upload Failed" });
    await alert.getByText("Could not upload PDF file").waitFor();
    await expectToast(page, "Could not upload PDF file");
    await audit(page, "upload-broken-off");
    await choosePdf(page, pdf("Loom.pdf", ["Warp"]));
    await expectText(page, "PDF Uploaded Successfully");
    await page.waitForURL(/\/editor\/\d+$/);
    await expectText(page, "PDF Document: Loom");
  });

  test("an upload shows its progress, and can be cancelled", async () => {
    const { page, context } = creator;
    await page.goto("/dashboard");
    const endSlowness = await slowUploads(context, page, 100_000);
    await choosePdf(page, pdf("Kettle.pdf", ["Steam"], { padding: 5_000_000 }));
    const progress = page.getByRole("progressbar", { name: "Upload of Kettle.pdf" });
    const sent = () => progress.evaluate((bar: HTMLProgressElement) => bar.value);
    await expect.poll(sent).toBeGreaterThan(0);
    expect(await sent()).toBeLessThan(1);
    await page.getByRole("button", { name: "Cancel upload" }).click();
    await page.getByRole("button", { name: "Upload PDF" }).waitFor();
    await endSlowness();
    await page.reload();
    await expectText(page, "Idea (3) : Loom");
    expect(await page.getByText("Kettle").count()).toBe(0);
  });

  test("the answer to a new idea is lost: it is not made twice, and has what was typed since", async () => {
    const { page, context } = creator;
    const ideas = async () => (await api(context).get("/api/ideas")).json();
    const known = (await ideas()).length;
    await page.goto("/editor/new");
    await page.getByLabel("Title", { exact: true }).fill("Kite");
    await body(page).locator("p").first().click();
    await page.keyboard.type("A kite of paper.");
    const lose = await loseAnswer(page, "/api/ideas");
    await page.getByRole("button", { name: "Create Idea" }).click();
    await body(page).getByText("A kite of paper.").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" It needs wind.");
    await lose();
    const alert = page.getByRole("alert").filter({ hasText: "There is no connection" });
    await alert.getByRole("button", { name: "Try again" }).click();
    await page.waitForURL(/\/editor\/\d+$/);
    expect(await ideas()).toHaveLength(known + 1);
    const id = Number(new URL(page.url()).pathname.split("/").at(-1));
    await expect.poll(() => storedContent(id)).toContain("A kite of paper. It needs wind.");
    await page.goto("/editor/new");
    await body(page).waitFor();
    expect(await page.getByText("A kite of paper.").count()).toBe(0);
    expect((await api(context).delete(`/api/ideas/${id}`)).status()).toBe(204);
  });

  async function storedContent(id: number): Promise<string> {
    const answer = await api(creator.context).get(`/api/ideas/${id}`);
    const { content }: { content: string } = await answer.json();
    return content.replaceAll(/<[^>]+>/g, "");
  }
});
