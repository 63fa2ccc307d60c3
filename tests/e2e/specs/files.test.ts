import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { expectText, expectToast } from "../pages/common";
import { chooseImage, choosePdf, createIdea } from "../pages/creator";
import { isDrawn, textLayer } from "../pages/pdf";
import { api } from "../support/api";
import { artifacts } from "../support/artifacts";
import { audit } from "../support/audit";
import { newPerson, type Person, viewport } from "../support/browser";
import { launchOptions } from "../support/chromium";
import { startEnvironment, type TestEnvironment } from "../support/environment";
import { corruptPdf, pdf, png } from "../support/files";
import { deferRequest } from "../support/network";
import { agreeTo, importPdf, publish, shareFully, signIn } from "../support/seed";

const ada = { name: "Ada Quill", email: "ada@example.org", password: "ink-ink" };
const loom = pdf("Hand loom.pdf", ["Warp and beam", "Weft and shuttle"]);
const viewer = /^chrome-extension:.*pdf/;
const idOf = (url: string) => Number(new URL(url).pathname.split("/").pop());

describe("PDFs and images", () => {
  let environment: TestEnvironment;
  let creator: Person;
  let recipient: Person;
  let ideaId: number;
  let file: string;

  beforeAll(async () => {
    environment = await startEnvironment("files");
    creator = await environment.person("files-creator", [
      /status of 400 .*\/api\/(ideas\/pdf|upload)/,
    ]);
    recipient = await environment.person("files-recipient");
    await signIn(creator, ada);
  });
  afterAll(() => environment?.stop());
  afterEach(() => expect(environment.complaints()).toEqual([]));

  test("importing a PDF shows its progress, then the idea", async () => {
    const { page } = creator;
    await page.goto("/dashboard");
    const upload = await deferRequest(page, "/api/ideas/pdf");
    await choosePdf(page, loom);
    await expectText(page, "Uploading PDF...");
    await expectText(page, "Please wait while we process your file");
    await page.getByRole("progressbar", { name: "Upload of Hand loom.pdf" }).waitFor();
    await audit(page, "upload-progress");
    upload.release();
    await expectText(page, "PDF Uploaded Successfully");
    await page.waitForURL(/\/editor\/\d+$/);
    ideaId = idOf(page.url());
  });

  test("its pages are drawn, with their text", async () => {
    const { page } = creator;
    await expectText(page, "PDF Document: Hand loom");
    await expectText(page, "Hand loom.pdf");
    await textLayer(page, "Warp and beam").waitFor();
    await expect.poll(() => isDrawn(page, 1)).toBe(true);
    expect(await page.getByRole("button", { name: "Write with AI" }).count()).toBe(0);
    await page.getByRole("button", { name: "Next page" }).click();
    await textLayer(page, "Weft and shuttle").waitFor();
    await audit(page, "editor-pdf");
  });

  test("where scroll bars take room, the width of a page does not depend on the bar", async () => {
    const options = { ...launchOptions(), ignoreDefaultArgs: ["--hide-scrollbars"] };
    const browser = await chromium.launch(options);
    onTestFinished(() => browser.close());
    const person = await newPerson(browser, "files-bars", environment.server.url);
    const { page, context } = person;
    await api(context).post("/api/auth/login", { data: ada });
    const plan = pdf("Plan.pdf", ["Plan"], { width: 960, height: 622 });
    await page.goto(`/editor/${await importPdf(person, plan, "Plan")}`);
    await textLayer(page, "Plan").waitFor();
    const pages = page.getByRole("region", { name: "Pages of Plan.pdf" });
    const widthAt = async (height: number, overflows: boolean) => {
      await page.setViewportSize({ ...viewport, height });
      const doesOverflow = () => pages.evaluate((box) => box.scrollHeight > box.clientHeight);
      await expect.poll(doesOverflow).toBe(overflows);
      return pages.evaluate((box) => box.clientWidth);
    };
    expect(
      await pages.evaluate((box: HTMLElement) => box.offsetWidth - box.clientWidth),
    ).toBeGreaterThan(0);
    expect(await widthAt(1200, false)).toBe(await widthAt(600, true));
    expect(person.complaints).toEqual([]);
  });

  test("Open PDF opens the file itself in a new tab", async () => {
    const { page, context } = creator;
    const link = page.getByRole("link", { name: "Open PDF" });
    file = (await link.getAttribute("href")) ?? "";
    const answered = context.waitForEvent("response", (response) => response.url().endsWith(file));
    const opened = context.waitForEvent("page");
    // The browser's PDF viewer starts only if the file's content security policy allows it.
    const viewed = context.waitForEvent("request", (request) => viewer.test(request.url()));
    await link.click();
    const [answer, tab] = await Promise.all([answered, opened, viewed]);
    expect(answer.status()).toBe(200);
    expect(answer.headers()).toMatchObject({
      "content-type": "application/pdf",
      "x-content-type-options": "nosniff",
    });
    expect(answer.headers()["content-disposition"] ?? "inline").toMatch(/^inline/);
    await tab.close();
  });

  test("Download PDF saves exactly what was uploaded", async () => {
    const { page } = creator;
    const downloading = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download PDF" }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(loom.name);
    const saved = join(artifacts, "downloaded.pdf");
    await download.saveAs(saved);
    expect(await readFile(saved)).toEqual(loom.buffer);
  });

  test("a reader sees the same pages, and only after agreeing", async () => {
    const { page, context } = recipient;
    await publish(creator, ideaId);
    const token = await shareFully(creator, ideaId);
    expect((await api(context).get(file)).status()).toBe(404);
    await agreeTo(recipient, token, { name: "Rosa Lindt", email: "rosa@example.com" });
    await page.goto(`/document/${token}`);
    await textLayer(page, "Warp and beam").waitFor();
    await expect.poll(() => isDrawn(page, 1)).toBe(true);
    await page.getByRole("link", { name: "Open in New Tab" }).waitFor();
    await page.getByRole("link", { name: "Download PDF" }).waitFor();
    await expectText(page, "Verified & Published");
    expect((await api(context).get(file)).status()).toBe(200);
    await audit(page, "document-pdf");
  });

  test("a damaged PDF is refused with advice", async () => {
    const { page } = creator;
    await page.goto("/dashboard");
    await choosePdf(page, corruptPdf("Torn.pdf"));
    await page.getByRole("alert").getByText("This PDF is damaged").waitFor();
    await audit(page, "upload-damaged");
  });

  test("a file that is not a PDF is refused before it is sent", async () => {
    const { page } = creator;
    await page.goto("/dashboard");
    const sent: string[] = [];
    page.on("request", (request) => sent.push(request.method()));
    const notes = Buffer.from("Notes on a loom");
    await choosePdf(page, { name: "loom.txt", mimeType: "text/plain", buffer: notes });
    await expectToast(page, "Only PDF files are supported at this time");
    await choosePdf(page, { ...loom, buffer: Buffer.alloc(10 * 1024 * 1024 + 1) });
    await expectToast(page, "PDF files must be less than 10MB");
    expect(sent).not.toContain("POST");
    page.removeAllListeners("request");
  });

  test("a file that only claims to be a PDF is refused by the server, and another can follow", async () => {
    const { page } = creator;
    await choosePdf(page, { ...loom, buffer: Buffer.from("<html>no PDF</html>") });
    await page.getByRole("alert").getByText("Upload Failed").waitFor();
    await audit(page, "upload-refused");
    await choosePdf(page, loom);
    await expectText(page, "PDF Uploaded Successfully");
    await page.waitForURL(/\/editor\/\d+$/);
  });

  test("an image is added to the text and to the assets", async () => {
    const { page } = creator;
    await page.goto("/editor/new");
    await chooseImage(page, png("seal-wax.png"));
    const image = page.locator("[contenteditable=true] img");
    await image.waitFor();
    await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(240);
    await audit(page, "editor-image");
    ideaId = await createIdea(page);
    await page.getByRole("link", { name: "Back to Dashboard" }).click();
    const assets = page.getByRole("region", { name: "My Assets" });
    await assets.getByRole("img", { name: "seal-wax.png" }).waitFor();
    await assets.getByText("1", { exact: true }).waitFor();
    await audit(page, "dashboard-assets");
  });

  test("a reader sees the image, too", async () => {
    const { page } = recipient;
    const token = await shareFully(creator, ideaId);
    await agreeTo(recipient, token, { name: "Rosa Lindt", email: "rosa@example.com" });
    await page.goto(`/document/${token}`);
    const image = page.locator(".prose-document img");
    await image.waitFor();
    await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(240);
  });

  test("a file that is not an image is refused in a dialog that closes", async () => {
    const { page } = creator;
    await page.goto(`/editor/${ideaId}`);
    await chooseImage(page, { ...png("fake.png"), buffer: Buffer.from("no image") });
    const notice = page.getByRole("alertdialog").or(page.getByRole("dialog"));
    await notice.getByText("Failed to upload image").waitFor();
    await audit(page, "editor-image-refused");
    await page.keyboard.press("Escape");
    await notice.waitFor({ state: "detached" });
    expect(await page.locator("[contenteditable=true] img").count()).toBe(1);
  });
});
