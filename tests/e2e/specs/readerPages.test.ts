import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { notSignedIn, type Person, viewport } from "../support/browser";
import { startEnvironment, type TestEnvironment } from "../support/environment";
import { pdf } from "../support/files";
import { agreeTo, giveDetailsTo, importPdf, saveDraft, shareFully, signIn } from "../support/seed";
import { settled } from "../support/settled";

let environment: TestEnvironment;
let reader: Person;
const names: Record<string, string> = {};

beforeAll(async () => {
  environment = await startEnvironment("reader-pages");
  const creator = await environment.person("reader-pages-creator");
  reader = await environment.person("reader-pages-reader", [notSignedIn]);
  await signIn(creator, { name: "Ada Quill", email: "ada@example.org", password: "ink-ink" });
  const text = await saveDraft(creator, "Folding loom", "<p>It folds.</p>");
  const file = pdf("loom.pdf", ["One", "Two", "Three"]);
  names.text = await shareFully(creator, text);
  names.agreement = await shareFully(creator, text);
  names.pdf = await shareFully(creator, await importPdf(creator, file, "Drawings"));
  const rosa = { name: "Rosa Lindt", email: "rosa@example.com" };
  await giveDetailsTo(reader, names.agreement, rosa);
  await agreeTo(reader, names.text, rosa);
  await agreeTo(reader, names.pdf, rosa);
});
afterAll(() => environment?.stop());
afterEach(async () => {
  await reader.page.setViewportSize(viewport);
  expect(environment.complaints()).toEqual([]);
});

test.each([
  ["/nda/{agreement}", "main h2"],
  ["/document/{text}", "#comments textarea"],
  ["/document/{pdf}", "fieldset[aria-label='PDF view']"],
])("no word of %s is broken, also not in text of twice the size", async (path, ready) => {
  const { page } = reader;
  await page.goto(path.replace(/\{(\w+)\}/, (_, name) => names[name] ?? name));
  await page.locator(ready).first().waitFor();
  const sizes = [320, 375, 640, 768, 1000].map((width) => [width, 100]);
  for (const [width = 0, percent] of [...sizes, [640, 200], [768, 200], [1000, 200]]) {
    await page.setViewportSize({ width, height: 740 });
    await page.evaluate((size) => {
      document.documentElement.style.fontSize = `${size}%`;
    }, percent);
    await settled(page);
    expect(await page.evaluate(brokenWords), `${width} px, ${percent} %`).toEqual([]);
  }
});

test("a PDF fills the screen of a phone, with page and zoom at hand from the start", async () => {
  const { page } = reader;
  const height = 667;
  await page.setViewportSize({ width: 375, height });
  await page.goto(`/document/${names.pdf}`);
  const bar = page.getByRole("group", { name: "PDF view" });
  await bar.waitFor();
  const lowerEdge = async () => {
    const { y, height } = (await bar.boundingBox()) ?? { y: 0, height: 0 };
    return y + height;
  };
  await expect.poll(lowerEdge).toBe(height);
  const viewer = page.getByRole("region", { name: "PDF: loom.pdf" });
  expect((await viewer.boundingBox())?.width).toBe(375);
  await viewer.evaluate((element) => element.scrollIntoView());
  await expect.poll(lowerEdge).toBeGreaterThan(height - 16);
  expect(await lowerEdge()).toBeLessThanOrEqual(height);

  await page.getByRole("link", { name: "Comments" }).click();
  await page.getByLabel("Add a comment").waitFor();
  const comments = page.getByRole("heading", { name: "Comments" });
  await expect.poll(async () => (await comments.boundingBox())?.y).toBeLessThan(height);
  await page.getByRole("button", { name: "Downloads" }).click();
  await page.getByRole("menuitem").first().waitFor();
  expect(await page.getByRole("menuitem").allInnerTexts()).toEqual([
    "This document",
    "The agreement",
    "Your receipt",
    "Evidence",
  ]);
  const saving = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Your receipt" }).click();
  expect((await saving).suggestedFilename()).toMatch(/\.pdf$/);
});

/** Runs in the page: the words that go over more than one line. */
function brokenWords(): string[] {
  const found: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    // What is for screen readers only is a pixel wide.
    if (!text.parentElement?.checkVisibility() || text.parentElement.closest(".sr-only")) continue;
    if (text.parentElement.getBoundingClientRect().width <= 1) continue;
    // An address may be broken.
    for (const word of (text.textContent ?? "").matchAll(/(?<!\S)\p{L}{2,}(?=[\s.,:;]|$)/gu)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) found.push(word[0]);
    }
  }
  return found;
}
