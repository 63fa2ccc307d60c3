import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectText, expectToast } from "../pages/common";
import { body, confirmPublishing, createIdea, createLink, logIn, register } from "../pages/creator";
import { agree, agreement, comment, giveDetails, submitDetails } from "../pages/recipient";
import { api } from "../support/api";
import { artifacts } from "../support/artifacts";
import { audit } from "../support/audit";
import { deadLink, endedVisit, type Person } from "../support/browser";
import { startEnvironment, type TestEnvironment } from "../support/environment";

const inventor = { name: "Ada Quill", email: "ada@example.org", password: "brass-and-ink" };
const reader = { name: "Rosa Lindt", email: "rosa@example.com", phone: "+41 44 123 45 67" };
const title = "Self-winding letter press";
const secret = "A pendulum stores the energy of each stroke";
const remark = "Does the pendulum need oil?";

describe("from sign-up to a comment under NDA", () => {
  let environment: TestEnvironment;
  let creator: Person;
  let recipient: Person;
  let latecomer: Person;
  let ideaId: number;
  let link: string;
  let broken = false;

  beforeAll(async () => {
    environment = await startEnvironment("main-job");
    creator = await environment.person("creator");
    recipient = await environment.person("recipient", [endedVisit]);
    latecomer = await environment.person("latecomer", [...deadLink]);
  });

  afterAll(() => environment?.stop());

  // The tests form one story: after a failure, the rest is skipped.
  beforeEach(({ skip }) => skip(broken, "an earlier step failed"));
  afterEach(({ task }) => {
    broken ||= task.result?.state === "fail";
    expect(environment.complaints()).toEqual([]);
  });

  test("the creator registers", async () => {
    await creator.page.goto("/register");
    await expectText(creator.page, "Create your account");
    await register(creator.page, inventor);
  });

  test("the creator logs in to an empty dashboard", async () => {
    const { page } = creator;
    await logIn(page, inventor);
    await expectText(page, "Hi Ada");
    for (const empty of ["No drafts yet", "No published ideas yet", "No shared ideas yet"]) {
      await expectText(page, empty);
    }
    await audit(page, "dashboard-empty");
  });

  test("a new idea starts from the template", async () => {
    const { page } = creator;
    await page.getByText("Start from scratch").click();
    await page.waitForURL("/editor/new");
    expect(await page.getByPlaceholder("Enter your idea title...").inputValue()).toBe(
      "My New Idea",
    );
    for (const heading of [
      "My Idea",
      "Problem Statement",
      "Solution Overview",
      "Key Features",
      "Target Audience",
      "Implementation Notes",
      "Next Steps",
    ]) {
      await body(page).getByRole("heading", { name: heading, exact: true }).waitFor();
    }
  });

  test("the creator formats text and saves the idea", async () => {
    const { page } = creator;
    await page.getByPlaceholder("Enter your idea title...").fill(title);
    // Not three times: in an empty paragraph, that selects up to the next one, or nothing.
    await body(page).getByRole("paragraph").first().click();
    await page.getByRole("button", { name: "Bold" }).click();
    // On a busy machine, the editor may take the format a moment later.
    await page.getByRole("button", { name: "Bold", pressed: true }).waitFor();
    await page.keyboard.type(secret);
    await body(page).locator("strong, b").filter({ hasText: secret }).waitFor();
    ideaId = await createIdea(page);
    await audit(page, "editor-draft");
  });

  test("publishing makes the idea read-only", async () => {
    const { page } = creator;
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await expectText(page, "Publish this idea?");
    await audit(page, "editor-publishing");
    await confirmPublishing(page);
    await page.getByRole("button", { name: "Save Changes" }).waitFor({ state: "hidden" });
    expect(await body(page).count()).toBe(0);
    await audit(page, "editor-published");
  });

  test("the creator makes a one-time link and copies it", async () => {
    const { page } = creator;
    await page.getByText("Share It", { exact: true }).click();
    await page.waitForURL(`/share/${ideaId}`);
    await expectText(page, "Share your idea");
    link = await createLink(page, /one-time view/i);
    expect(link).toMatch(new RegExp(`^${environment.server.url}/view/[\\w-]{43}$`));
    await page.getByRole("button", { name: "Copy Link" }).click();
    await expectToast(page, "Share link copied to clipboard!");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
    await audit(page, "share");
  });

  test("the link asks the recipient for details first", async () => {
    const { page } = recipient;
    await page.goto(link);
    await submitDetails(page);
    await expectText(page, "Name must be at least 3 characters");
    await expectText(page, "Please enter a valid email address");
    await audit(page, "collect");
    expect(await page.content()).not.toContain(secret);
    await giveDetails(page, reader);
    await page.waitForURL(/\/nda\//);
  });

  test("the agreement can be accepted only after it was read", async () => {
    const { page } = recipient;
    await page.getByRole("button", { name: "Please read the full agreement" }).waitFor();
    expect(
      await page.getByRole("button", { name: "Please read the full agreement" }).isDisabled(),
    ).toBe(true);
    for (const fact of [title, inventor.name, reader.name]) {
      await agreement(page).or(page.locator("main")).getByText(fact).first().waitFor();
    }
    await audit(page, "nda");
    expect(await page.content()).not.toContain(secret);
  });

  test("the downloaded agreement is the text that the server keeps", async () => {
    const { page } = recipient;
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download Agreement" }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(`NDA-Agreement-Idea-${ideaId}.txt`);

    const file = join(artifacts, "agreement.txt");
    await download.saveAs(file);
    const saved = await readFile(file);
    const token = link.split("/").pop();
    const { nda } = await (await api(page.context()).get(`/api/share/${token}`)).json();
    expect(saved.toString("utf8")).toBe(nda.text);
    expect(createHash("sha256").update(saved).digest("hex")).toBe(nda.sha256);
  });

  test("agreeing opens the document", async () => {
    const { page } = recipient;
    await agree(page);
    await page.waitForURL(/\/document\//);
    await expectText(page, secret);
    await expectText(page, "Verified & Published");
    await audit(page, "document");
  });

  test("the recipient comments", async () => {
    const { page } = recipient;
    await comment(page, remark);
    await expectText(page, remark);
    await expectText(page, "just now");
    await audit(page, "document-commented");
  });

  test("closing a one-time link warns, and leaves agreement and receipt", async () => {
    const { page } = recipient;
    await page.getByRole("button", { name: "Close", exact: true }).click();
    const dialog = page.getByRole("alertdialog").or(page.getByRole("dialog"));
    await dialog.getByText(/cannot be viewed again/).waitFor();
    await audit(page, "document-closing");
    await dialog.getByRole("button", { name: "Close" }).click();
    await expectText(page, "Your visit has ended");
    await page.getByText(/and the link cannot be opened again/).waitFor();
    await audit(page, "visit-used-up");
    await page.goto(link);
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download your receipt" }).click();
    expect((await download).suggestedFilename()).toMatch(/\.pdf$/);
  });

  test("the used link is invalid for everyone else", async () => {
    const { page } = latecomer;
    await page.goto(link);
    await expectText(page, "Access Denied");
    await expectText(page, "The link you're trying to access is invalid or has expired.");
    expect(await page.content()).not.toContain(title);
  });

  test("the creator sees the view, the acceptance and the comment", async () => {
    const { page } = creator;
    await page.goto(`/share/${ideaId}`);
    await page.getByText(reader.name).first().waitFor();
    await page.getByText(remark).waitFor();

    const [share] = await (await api(page.context()).get(`/api/ideas/${ideaId}/shares`)).json();
    expect(share).toMatchObject({ viewCount: 1, state: "exhausted" });
    const activity: { type: string }[] = await (
      await api(page.context()).get(`/api/ideas/${ideaId}/activity`)
    ).json();
    expect(activity.map(({ type }) => type)).toEqual(["closed", "viewed", "agreed", "registered"]);
    await audit(page, "share-activity");

    await page.goto("/dashboard");
    await page.getByText(`Idea (${ideaId}) : ${title}`).waitFor();
    await audit(page, "dashboard");
  });

  test("the creator tags the idea, archives it and finds it again", async () => {
    const { page } = creator;
    const card = page.getByText(`Idea (${ideaId}) : ${title}`);
    await card.hover();
    await page.getByRole("button", { name: `Organize ${title}` }).click();
    const dialog = page.getByRole("dialog", { name: "Organize this idea" });
    await dialog.getByLabel("Tags").fill("garden, Küche");
    await audit(page, "dashboard-organize");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expectToast(page, "Idea organized.");
    await page.getByText("garden, Küche").waitFor();
    await page.getByLabel("Show").selectOption("Küche");
    await card.hover();
    await page.getByRole("button", { name: `Organize ${title}` }).click();
    await dialog.getByRole("checkbox", { name: /^Archive this idea/ }).check();
    await dialog.getByRole("button", { name: "Save" }).click();
    await card.waitFor({ state: "detached" });
    await page.getByLabel("Show").selectOption("Archived");
    await card.waitFor();
    await audit(page, "dashboard-archive");
  });

  test("the log has no token, password or content", async () => {
    const logs = await environment.server.logs();
    expect(logs).not.toBe("");
    for (const kept of [link.split("/").pop() ?? link, inventor.password, secret, remark]) {
      expect(logs).not.toContain(kept);
    }
  });
});
