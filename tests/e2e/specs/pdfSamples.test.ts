import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { isDrawn, textLayer } from "../pages/pdf";
import { api } from "../support/api";
import type { Person } from "../support/browser";
import { startEnvironment, type TestEnvironment } from "../support/environment";
import { brotliPdf, pdf, type Upload } from "../support/files";
import * as samples from "../support/samples";
import { importPdf, signIn } from "../support/seed";

describe("PDFs that are hard to open", () => {
  let environment: TestEnvironment;
  let creator: Person;

  beforeAll(async () => {
    environment = await startEnvironment("pdf-samples");
    creator = await environment.person("pdf-samples-creator");
    await signIn(creator, { name: "Ada Quill", email: "ada@example.org", password: "ink-ink" });
  });
  afterAll(() => environment?.stop());
  afterEach(() => expect(environment.complaints()).toEqual([]));

  const open = async (file: Upload) => {
    await creator.page.goto(`/editor/${await importPdf(creator, file, file.name)}`);
  };

  test("pictures in JBIG2 and JPEG 2000 are drawn by decoders from this server", async () => {
    const { page } = creator;
    const decoders: string[] = [];
    page.on("response", (answer) => {
      if (answer.url().endsWith(".wasm")) decoders.push(new URL(answer.url()).pathname);
    });
    await open(samples.pictures);
    await expect.poll(() => isDrawn(page, 1)).toBe(true);
    await page.getByRole("button", { name: "Next page" }).click();
    await expect.poll(() => isDrawn(page, 2)).toBe(true);
    expect(decoders.sort()).toEqual([
      expect.stringMatching(/^\/assets\/pdfjs-[\d.]+\/wasm\/jbig2\.wasm$/),
      expect.stringMatching(/^\/assets\/pdfjs-[\d.]+\/wasm\/openjpeg\.wasm$/),
    ]);
    page.removeAllListeners("response");
  });

  test("a text in Brotli is read with the dictionary from this server", async () => {
    const { page } = creator;
    const dictionary = page.waitForResponse(/\/assets\/pdfjs-[\d.]+\/brotli\/dictionary\.json$/);
    await open(brotliPdf("brotli.pdf", "Woven by a small loom"));
    await textLayer(page, "Woven by a small loom").waitFor();
    expect((await dictionary).status()).toBe(200);
  });

  test("a browser without the newest methods gets what it lacks", async () => {
    const older = await environment.person("pdf-samples-older");
    const { page } = older;
    await page.addInitScript(() => {
      Reflect.deleteProperty(Map.prototype, "getOrInsertComputed");
      Reflect.deleteProperty(Promise, "try");
    });
    await signIn(older, { name: "Ada", email: "older@example.org", password: "ink-ink" });
    await page.goto(`/editor/${await importPdf(older, pdf("old.pdf", ["Older"]), "Old")}`);
    await textLayer(page, "Older").waitFor();
    await expect.poll(() => isDrawn(page, 1)).toBe(true);
    expect(await page.evaluate(() => "try" in Promise)).toBe(true);
  });

  test("an image that cannot be read is reported instead of a blank page", async () => {
    const { page } = creator;
    await open(samples.damagedPictures());
    const notes = page.getByText("A picture on this page is damaged and cannot be shown.");
    await notes.first().waitFor();
    await page.getByRole("button", { name: "Next page" }).click();
    await expect.poll(() => notes.count()).toBe(2);
  });

  test.each([
    ["locked by a password", samples.locked, "This PDF is protected with a password"],
    ["without pages", samples.withoutPages, "This PDF is damaged"],
    ["cut off half-way", samples.truncated(), "This PDF is damaged"],
  ])("a file %s is refused with advice", async (_, file, advice) => {
    const answer = await api(creator.context).post("/api/ideas/pdf", {
      multipart: { file, title: "Refused" },
    });
    expect(answer.status()).toBe(400);
    const message = expect.stringContaining(advice);
    expect(await answer.json()).toMatchObject({ field: "file", message });
  });

  test.each([
    ["that only its owner may change", samples.ownerLocked, "Nobody may change this"],
    ["with a page of five metres", samples.largePage, "Five metres wide"],
  ])("a file %s opens", async (_, file, words) => {
    await open(file);
    await textLayer(creator.page, words).waitFor();
    await expect.poll(() => isDrawn(creator.page, 1)).toBe(true);
  });

  test("the last of 200 pages opens as directly as the first", async () => {
    const { page } = creator;
    const lines = Array.from({ length: 200 }, (_, index) => `Words of page ${index + 1}`);
    await open(pdf("long.pdf", lines));
    await textLayer(page, "Words of page 1").first().waitFor();
    await page.getByRole("textbox", { name: "Page" }).fill("200");
    await page.keyboard.press("Enter");
    await textLayer(page, "Words of page 200").waitFor();
    await expect.poll(() => isDrawn(page, 200)).toBe(true);
    // Distant pages are not kept.
    expect(await textLayer(page, /^Words of page 1$/).count()).toBe(0);
  });

  test("an empty file is refused", async () => {
    const answer = await api(creator.context).post("/api/ideas/pdf", {
      multipart: { file: { ...samples.locked, buffer: Buffer.alloc(0) }, title: "Nothing" },
    });
    expect(answer.status()).toBe(400);
    expect(await answer.json()).toMatchObject({
      message: "Only PDF files are supported at this time",
    });
  });
});
