import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { expectText, expectToast } from "../pages/common";
import { openDetails } from "../pages/creator";
import { agree, comment, commentBox, enterCode, giveDetails } from "../pages/recipient";
import { api } from "../support/api";
import { audit } from "../support/audit";
import { deadLink, endedVisit, type Person } from "../support/browser";
import { startEnvironment, type TestEnvironment } from "../support/environment";
import { codeTo, linkIn, linkTo, mailTo } from "../support/outbox";
import { agreeTo, publish, saveDraft, shareFully, shareWith, signIn } from "../support/seed";

const rosa = { name: "Rosa Lindt", email: "rosa@example.com" };

describe("between a creator and readers", () => {
  let environment: TestEnvironment;
  let creator: Person;
  let recipient: Person;
  let ideaId: number;

  beforeAll(async () => {
    environment = await startEnvironment("sharing");
    creator = await environment.person("sharing-creator");
    recipient = await environment.person("sharing-recipient", [
      ...deadLink,
      endedVisit,
      /status of 403 .*\(\/api\/recipients\)/,
      /status of 400 .*\(\/api\/recipients\/[^/]+\/verify\)/,
      /status of 404 .*\(\/api\/comments\)/,
      /^Failed to (add comment|load comments) 404/,
    ]);
    await signIn(creator, { name: "Ada Quill", email: "ada@example.org", password: "ink-ink" });
    const text = "<p>A pendulum stores the energy of each stroke.</p>";
    ideaId = await saveDraft(creator, "Self-winding letter press", text);
    await publish(creator, ideaId);
  });
  afterAll(() => environment?.stop());
  afterEach(() => expect(environment.complaints()).toEqual([]));

  test("the share form asks only for what its type needs", async () => {
    const { page } = creator;
    await page.goto(`/share/${ideaId}`);
    await page.getByRole("radio", { name: /time-dependent/i }).check();
    await page.getByLabel("Expiration Date").fill("2001-01-01T00:00");
    await page.getByLabel("Maximum Views").fill("0");
    await page.getByRole("button", { name: "Generate Share Link" }).click();
    await expectText(page, "Choose a time in the future");
    await audit(page, "share-invalid");
    const date = page.getByLabel("Expiration Date");
    await date.fill("");
    await date.press("0");
    await date.press("1");
    await page.getByRole("button", { name: "Generate Share Link" }).click();
    await expectText(page, "Enter both a date and a time");
    await page.getByRole("radio", { name: /full access \(/i }).check();
    expect(await page.getByLabel("Expiration Date").count()).toBe(0);
    expect(await page.getByLabel("Maximum Views").count()).toBe(0);
  });

  test("an invitation by email has the link for its reader", async () => {
    const { page } = creator;
    await page.getByRole("radio", { name: /share by email/i }).check();
    await page.getByLabel("Recipient Email").fill(rosa.email);
    await page.getByRole("button", { name: "Send Email Invitation" }).click();
    await expectToast(page, "Invitation sent.");
    await page.getByText(`For ${rosa.email}`).waitFor();
    await audit(page, "share-invited");

    const mail = await mailTo(environment.server, rosa.email, "/view/");
    expect(mail).toContain("Ada Quill");
    await recipient.page.goto(linkIn(mail, environment.server.url, "/view/"));
  });

  test("the invitation is for that address only", async () => {
    const { page } = recipient;
    await giveDetails(page, { ...rosa, email: "someone@example.com" });
    await page.getByLabel(/email/i).and(page.locator("[aria-invalid=true]")).waitFor();
    expect(await page.getByText("Failed to submit your information").count()).toBe(0);
    await audit(page, "collect-refused");
    expect(await page.getByLabel(/name/i).inputValue()).toBe(rosa.name);
    await page.getByLabel(/email/i).fill("");
    await giveDetails(page, rosa);
    await expectText(page, "Confirm your email address");
    await expectText(page, rosa.email);
    await audit(page, "code");
  });

  test("the emailed code proves the address, and is requested once", async () => {
    const { page } = recipient;
    const first = await codeTo(environment.server, rosa.email);
    await enterCode(page, first === "000000" ? "000001" : "000000");
    await expectText(page, "That code is not right. You have 4 tries left.");
    await audit(page, "code-wrong");
    // The cooldown of one minute for another code.
    await page.clock.install();
    await page.reload();
    await page.getByRole("button", { name: /^Send a new code in \d+ s$/ }).waitFor();
    await page.clock.fastForward(60_000);
    await page.getByRole("button", { name: "Send a new code", exact: true }).click();
    await page.getByText(`We have sent a new code to ${rosa.email}.`).waitFor();
    const second = await codeTo(environment.server, rosa.email, first);
    await enterCode(page, ` ${second.slice(0, 3)} ${second.slice(3)} `);
    await page.waitForURL(/\/nda\//);
    await page.clock.resume();
    await page.reload();
    await agree(page);
    await page.waitForURL(/\/document\//);
    await expectText(page, "A pendulum stores the energy of each stroke.");
  });

  test("the reader comments, the owner replies under the editor, the reader sees it", async () => {
    await comment(recipient.page, "Does the pendulum need oil?");
    const { page } = creator;
    await page.goto(`/editor/${ideaId}`);
    const details = await openDetails(page, "Comments");
    await details.getByText("Does the pendulum need oil?").waitFor();
    await details.getByLabel("Comment for all readers").fill("A drop a year.");
    await details.getByRole("button", { name: "Send" }).click();
    await details.getByText("(you)").waitFor();
    for (const section of ["Version history", "Links", "Readers", "Accepted agreements"]) {
      await openDetails(page, section);
    }
    await details.getByText("Rosa Lindt").nth(2).waitFor();
    await details
      .getByText(/^Email confirmed/)
      .first()
      .waitFor();
    await audit(page, "editor-details");

    await recipient.page.reload();
    await recipient.page.getByText("A drop a year.").waitFor();
    await audit(recipient.page, "document-answered");
  });

  test("the reader closes the document, and opens it again without agreeing again", async () => {
    const { page } = recipient;
    await page.getByRole("main").getByRole("button", { name: "Close", exact: true }).click();
    await page.getByRole("button", { name: "Close document" }).click();
    await expectText(page, "Your visit has ended");
    expect(await page.content()).not.toContain("A pendulum stores");
    await audit(page, "visit-closed");
    await page.getByRole("button", { name: "Open Again" }).click();
    await page.getByText("A drop a year.").waitFor();
  });

  test("a revoked link closes at the next step", async () => {
    const { page } = creator;
    await page.goto(`/share/${ideaId}`);
    await page.getByRole("button", { name: /^Settings/ }).press("Enter");
    const downloads = page.getByRole("checkbox", { name: "Readers may download the document" });
    await downloads.waitFor();
    await audit(page, "share-settings");
    await page.getByRole("button", { name: "More settings" }).press("Enter");
    await downloads.nth(1).waitFor();
    await audit(page, "share-more-settings");
    await page.getByRole("button", { name: "Revoke this link" }).press("Enter");
    const dialog = page.getByRole("alertdialog");
    await expectText(page, "Revoke this link?");
    await audit(page, "share-revoking");
    await dialog.getByRole("button", { name: "Revoke" }).click();
    await expectToast(page, "Link revoked.");
    await expectText(page, "No active links");

    await commentBox(recipient.page).fill("And how often?");
    await recipient.page.getByRole("button", { name: "Send" }).click();
    await recipient.page.getByText(/Whoever shared it ended the link on/).waitFor();
    expect(await recipient.page.content()).not.toContain("A pendulum stores");
  });

  test("a reader finds what was shown by a mailed link, from another browser", async () => {
    const { page } = recipient;
    await page.goto("/my-documents");
    await page.waitForURL("/my-documents");
    await page.getByLabel("Email").fill(rosa.email);
    await page.getByRole("button", { name: "Email me a link" }).click();
    await expectText(page, "Check your email");
    await audit(page, "my-documents-sent");

    const link = await linkTo(environment.server, rosa.email, "/my-documents/");
    const { page: elsewhere } = await environment.person("sharing-elsewhere", [
      /status of 400 .*\(\/api\/my-documents\/open\)/,
    ]);
    await elsewhere.goto(link);
    await elsewhere.getByRole("button", { name: "Show my documents" }).waitFor();
    await audit(elsewhere, "my-documents-link");
    await elsewhere.getByRole("button", { name: "Show my documents" }).click();
    await elsewhere.getByRole("heading", { name: "Self-winding letter press" }).waitFor();
    await expectText(elsewhere, "Has ended");
    expect(await elsewhere.content()).not.toContain("A pendulum stores");
    await audit(elsewhere, "my-documents");
    for (const [name, ending] of [
      ["Receipt: Self-winding letter press", /^receipt-.*\.pdf$/],
      ["Agreement: Self-winding letter press", /\.txt$/],
    ] as const) {
      const download = elsewhere.waitForEvent("download");
      await elsewhere.getByRole("link", { name }).click();
      expect((await download).suggestedFilename()).toMatch(ending);
    }
    // The answer may have been lost, or the page was loaded again.
    await elsewhere.reload();
    await elsewhere.getByRole("button", { name: "Show my documents" }).click();
    await elsewhere.getByRole("button", { name: "I am done" }).click();
    await expectText(elsewhere, "The list is closed");
    await elsewhere.goto(link);
    await elsewhere.getByRole("button", { name: "Show my documents" }).click();
    await expectText(elsewhere, "This link no longer works");
    await audit(elsewhere, "my-documents-dead");
  });

  test.each([
    {
      form: "a canvas",
      content: {
        elements: [
          { type: "text", x: 60, y: 100, text: "Flywheel", fontSize: 28, fill: "#14213d" },
          { type: "circle", x: 380, y: 120, radius: 60, fill: "#b03a2e" },
        ],
      },
      text: "Flywheel",
    },
    {
      form: "notes in a previous format",
      content: { problem: "Presses stop.", parts: ["A spring", "A cam"] },
      text: "A cam",
    },
  ])("$form is shown to its reader", async ({ form, content, text: words }) => {
    const { page } = recipient;
    const id = await saveDraft(creator, `Kept as ${form}`, content);
    const token = await shareFully(creator, id);
    await agreeTo(recipient, token, rosa);
    await page.goto(`/document/${token}`);
    await page.getByText(words).first().waitFor();
    await audit(page, `document-${form.replaceAll(" ", "-")}`);
  });

  test("declining ends the visit after confirmation", async () => {
    const { page } = recipient;
    const token = await shareFully(creator, ideaId);
    await page.goto(`/view/${token}`);
    await giveDetails(page, rosa);
    await page.waitForURL(/\/nda\//);
    await page.getByRole("button", { name: "Decline" }).click();
    await page
      .getByRole("alertdialog")
      .getByText("Are you sure you want to decline? You will not be able to view the document.")
      .waitFor();
    await audit(page, "nda-declining");
    await page.getByRole("alertdialog").getByRole("button", { name: "Decline" }).click();
    await page.waitForURL("/");
    await expectToast(page, "Agreement Declined");
    await expectToast(page, "The session will now end.");
  });

  test("a receipt and a certificate hold on the page that checks evidence", async () => {
    const { page } = creator;
    const reader = await environment.person("sharing-receipt");
    const token = await shareFully(creator, ideaId);
    const grace = { name: "Grace Hopper", email: "grace@example.com" };
    const id = await agreeTo(reader, token, grace);
    for (const [person, path, told] of [
      [reader, `/api/recipients/${id}/receipt.pdf`, "Grace Hopper"],
      [creator, `/api/ideas/${ideaId}/certificate.pdf`, "Self-winding letter press"],
    ] as const) {
      let pdf: Buffer = Buffer.of();
      // The log gives places within seconds.
      await expect
        .poll(async () => {
          pdf = await (await api(person.context).get(path)).body();
          return pdf.includes("c2sp.org/tlog-proof@v1");
        })
        .toBe(true);
      await page.goto("/verify");
      await page.waitForSelector("form:not([inert])");
      const file = { name: "evidence.pdf", mimeType: "application/pdf", buffer: pdf };
      await page.getByLabel("Evidence bundle, receipt or certificate").setInputFiles(file);
      await page.getByText("Everything that can be checked here holds").waitFor();
      await page.getByText(told).first().waitFor();
    }
    await audit(page, "verify-certificate");
  });

  test("the owner looks through what a reader of a link sees", async () => {
    const { page } = creator;
    const token = await shareWith(creator, ideaId, "preview@example.com");
    await page.goto(`/view/${token}`);
    const bar = page.getByRole("region", { name: "Preview" });
    await bar.getByText("Nothing is sent or recorded here.").waitFor();
    await audit(page, "preview-details");
    for (const [stage, heading] of [
      ["Code", "Confirm your email address"],
      ["Agreement", "Non-disclosure agreement"],
      ["Document", "Self-winding letter press"],
    ] as const) {
      await bar.getByRole("button", { name: stage }).click();
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
      await audit(page, `preview-${stage.toLowerCase()}`);
    }
    await expectText(page, "A pendulum stores the energy of each stroke.");
    await bar.getByRole("link", { name: "Back to the links" }).click();
    await page.getByRole("heading", { name: "Share your idea" }).waitFor();
  });
});
