import { readFileSync } from "node:fs";
import type { BrowserContext } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { expectText } from "../pages/common";
import { body } from "../pages/creator";
import { textLayer } from "../pages/pdf";
import { api } from "../support/api";
import type { Person } from "../support/browser";
import { startEnvironment, type TestEnvironment } from "../support/environment";
import { hostilePdf } from "../support/files";
import { agreeTo, importPdf, saveDraft, shareFully, signIn } from "../support/seed";

const corpus: { frames: string[]; payloads: string[] } = JSON.parse(
  readFileSync(new URL("../../hostile.json", import.meta.url), "utf8"),
);
const documents = corpus.frames.flatMap((frame) =>
  corpus.payloads.map((payload) => frame.replace("{}", () => payload)),
);
/** Inputs for plain-text fields: a sample of the corpus is enough. */
const texts = corpus.payloads.filter((_, index) => index % 18 === 0);

/**
 * Hostile input, in the browsers of its readers. After each test, no script may have run: one would
 * call `alert`, load something from elsewhere, or violate the content security policy, which is
 * reported.
 */
describe("hostile content", () => {
  let environment: TestEnvironment;
  let creator: Person;
  let reader: Person;
  const dialogs: string[] = [];

  beforeAll(async () => {
    environment = await startEnvironment("hostile");
    creator = await environment.person("hostile-creator");
    reader = await environment.person("hostile-reader");
    for (const { context } of [creator, reader]) notice(context);
    await signIn(creator, { name: "Mallory", email: "mallory@example.org", password: "ink-ink" });
  });
  afterAll(() => environment?.stop());
  afterEach(() => {
    expect(dialogs).toEqual([]);
    expect(environment.complaints()).toEqual([]);
  });

  function notice(context: BrowserContext): void {
    context.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
  }

  async function agreedLink(ideaId: number): Promise<string> {
    const token = await shareFully(creator, ideaId);
    await agreeTo(reader, token, { name: "Rosa Lindt", email: "rosa@example.com" });
    return token;
  }

  /** Saves a document and returns what the server kept of it. */
  async function savedAs(html: string): Promise<string> {
    const draft = { title: "Hostile", content: html };
    const answer = await api(creator.context).post("/api/ideas", { data: draft });
    expect(answer.status(), html).toBe(201);
    return (await answer.json()).content;
  }

  test("of over 300 pieces of markup, nothing runs, in the editor or for a reader", async () => {
    expect(documents.length).toBeGreaterThan(300);
    const cleaned: string[] = [];
    for (let from = 0; from < documents.length; from += 6) {
      const some = documents.slice(from, from + 6);
      cleaned.push(...(await Promise.all(some.map(savedAs))));
    }
    for (let from = 0; from < cleaned.length; from += 225) {
      const some = cleaned.slice(from, from + 225).join("<p>next</p>");
      const id = await saveDraft(creator, "Hostile", `${some}<p>The end.</p>`);
      await creator.page.goto(`/editor/${id}`);
      await body(creator.page).getByText("The end.").waitFor();
      await reader.page.goto(`/document/${await agreedLink(id)}`);
      await expectText(reader.page, "The end.");
    }
  });

  test("unsanitized content is not run by the app either", async () => {
    // The parser reports each violation of the page's content security policy.
    const bare = await environment.person("hostile-bare", [
      /violates the following Content Security Policy/,
      /status of 404 .*\/api\/files\//,
    ]);
    notice(bare.context);
    const { page } = bare;
    const id = await saveDraft(creator, "Hostile", "<p>Waits.</p>");
    const token = await shareFully(creator, id);
    await agreeTo(bare, token, { name: "Rosa Lindt", email: "rosa@example.com" });
    const html = `${documents.slice(0, corpus.payloads.length).join("\n")}<p>The end.</p>`;
    await page.route(`**/api/share/${token}`, async (route) => {
      const response = await route.fetch();
      const shared = await response.json();
      shared.idea.content = html;
      await route.fulfill({ response, json: shared });
    });
    await page.goto(`/document/${token}`);
    await page.locator(".prose-document").waitFor();
  });

  test("titles, names, comments and canvas texts are shown as they were written", async () => {
    const { page } = reader;
    const writer = await environment.person("hostile-writer");
    await signIn(writer, { name: "Eve", email: "eve@example.org", password: "ink-ink" });
    for (const text of texts) {
      const elements = [{ type: "text", x: 10, y: 40, text }];
      const id = await saveDraft(writer, text, { elements });
      const token = await shareFully(writer, id);
      await agreeTo(reader, token, { name: text, email: "rosa@example.com" });
      const comment = { ideaId: id, content: text };
      const posted = await api(reader.context).post("/api/comments", { data: comment });
      expect(posted.status(), await posted.text()).toBe(201);
      await page.goto(`/document/${token}`);
      // The title, the canvas, the comment and its author.
      await expect.poll(() => page.getByText(text, { exact: true }).count()).toBeGreaterThan(3);
    }
    await writer.page.goto("/dashboard");
    for (const text of texts) await writer.page.getByText(` : ${text}`).waitFor();
  });

  test("a PDF with scripts and a font that is one draws its words, and runs nothing", async () => {
    for (const name of ["Loom.pdf", "'><img src=x onerror=alert(1)>.pdf"]) {
      const id = await importPdf(creator, hostilePdf(name, "Warp and beam"), "Loom");
      await creator.page.goto(`/editor/${id}`);
      await textLayer(creator.page, "Warp and beam").waitFor();
      await reader.page.goto(`/document/${await agreedLink(id)}`);
      await textLayer(reader.page, "Warp and beam").waitFor();
      await expectText(reader.page, name);
    }
  });

  test("a link preview that runs our scripts counts no view", async () => {
    const id = await saveDraft(creator, "Letter press", "<p>Waits.</p>");
    const answer = await api(creator.context).post("/api/shares", {
      data: { ideaId: id, shareType: "one-time" },
    });
    const { accessLink } = await answer.json();
    const preview = await environment.person("hostile-preview");
    for (const path of ["view", "collect", "nda", "document"]) {
      await preview.page.goto(`/${path}/${accessLink}`);
      await preview.page.getByLabel(/email/i).waitFor();
    }
    const shares = await (await api(creator.context).get(`/api/ideas/${id}/shares`)).json();
    expect(shares).toMatchObject([{ viewCount: 0, state: "active" }]);
    await agreeTo(reader, accessLink, { name: "Rosa Lindt", email: "rosa@example.com" });
    await reader.page.goto(`/document/${accessLink}`);
    await expectText(reader.page, "Waits.");
  });
});
