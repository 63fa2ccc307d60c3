import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { expectText, expectToast } from "../pages/common";
import { body } from "../pages/creator";
import { api } from "../support/api";
import { audit } from "../support/audit";
import type { Person } from "../support/browser";
import { startEnvironment, type TestEnvironment } from "../support/environment";
import { agreeTo, saveDraft, shareFully, signIn } from "../support/seed";

const ada = { name: "Ada Quill", email: "ada@example.org", password: "ink-ink" };
const words = "A pendulum stores energy";

describe("dialogs and menus of the editor", () => {
  let environment: TestEnvironment;
  let creator: Person;
  let ideaId: number;

  beforeAll(async () => {
    environment = await startEnvironment("editor");
    creator = await environment.person("editor-creator");
    await signIn(creator, ada);
    ideaId = await saveDraft(creator, "Letter press", `<p>${words}</p>`);
    await creator.page.goto(`/editor/${ideaId}`);
  });
  afterAll(() => environment?.stop());
  afterEach(() => expect(environment.complaints()).toEqual([]));

  test("a link: an address that may do harm is refused", async () => {
    const { page } = creator;
    await body(page).getByText(words).click({ clickCount: 3 });
    await page.getByRole("button", { name: "Add link" }).click();
    const dialog = page.getByRole("dialog");
    const address = dialog.getByLabel("Enter URL:");
    await address.fill("javascript:alert(1)");
    await page.keyboard.press("Enter");
    await dialog.locator("[aria-invalid=true]").waitFor();
    await audit(page, "editor-link-refused");
    await address.fill("example.org/press");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    const link = body(page).getByRole("link", { name: words });
    expect(await link.getAttribute("href")).toBe("http://example.org/press");
  });

  test("a colour is chosen from 21, and can be reset", async () => {
    const { page } = creator;
    await page.getByRole("button", { name: "Text colour" }).click();
    const palette = page.getByRole("dialog", { name: "Text colour" });
    const colours = palette.getByRole("radio");
    await colours.first().waitFor();
    expect(await colours.count()).toBe(21);
    await audit(page, "editor-colours");
    await colours.nth(3).click();
    await body(page).locator("[style*=color]").filter({ hasText: words }).first().waitFor();
    await page.getByRole("button", { name: "Text colour" }).click();
    await page.getByText("Reset to default").click();
    await expect.poll(() => body(page).locator("[style*=color]").count()).toBe(0);
  });

  test("on the smallest phone, every colour can be touched", async () => {
    const { page } = await environment.person("editor-phone", [], { phone: true });
    await api(page.context()).post("/api/auth/login", { data: ada });
    await page.goto(`/editor/${ideaId}`);
    await page.getByRole("button", { name: "Text colour" }).tap();
    const colours = page.getByRole("dialog", { name: "Text colour" }).getByRole("radio");
    await colours.first().waitFor();
    const boxes = await Promise.all((await colours.all()).map((colour) => colour.boundingBox()));
    expect(boxes).toHaveLength(21);
    for (const box of boxes) {
      expect(box?.width).toBeGreaterThanOrEqual(24);
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320);
    }
  });

  test("a video sends no request until it is played", async () => {
    const { page } = creator;
    await body(page).getByText(words).click();
    await page.keyboard.press("End");
    await page.getByRole("button", { name: "Add video" }).click();
    const dialog = page.getByRole("dialog");
    const address = dialog.getByLabel("Enter YouTube video URL:");
    await address.fill("https://youtube.com.example.org/watch?v=dQw4w9WgXcQ");
    await page.keyboard.press("Enter");
    await dialog.getByText("This is not a link to a YouTube video.").waitFor();
    await audit(page, "editor-video-refused");
    await address.fill("https://www.youtube.com/watch?v=dQw4w9WgXcQ");
    await page.keyboard.press("Enter");
    await body(page).getByRole("button", { name: "Play video" }).waitFor();
    await audit(page, "editor-video");
  });

  test("in forced colours, which leave out its fill, the main button has a border", async () => {
    const { page } = creator;
    const save = page.getByRole("button", { name: "Save Changes" });
    const border = () => save.evaluate((button) => getComputedStyle(button).borderTopWidth);
    expect(await border()).toBe("0px");
    await page.emulateMedia({ forcedColors: "active" });
    expect(await border()).toBe("1px");
    await page.emulateMedia({ forcedColors: null });
  });

  test("a title is needed", async () => {
    const { page } = creator;
    const title = page.getByLabel("Title", { exact: true });
    await title.fill("  ");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expectText(page, "Please enter a title for your idea");
    await audit(page, "editor-untitled");
    await title.fill("Letter press");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expectToast(page, "Idea updated successfully");
  });

  test("what was saved is what opens again, and what its reader sees", async () => {
    const { page, context } = creator;
    const written = async () => (await api(context).get(`/api/ideas/${ideaId}`)).json();
    const { content } = await written();
    await page.reload();
    await body(page).getByRole("link", { name: words }).waitFor();
    await page.getByLabel("Title", { exact: true }).fill("Letter press II");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expectToast(page, "Idea updated successfully");
    expect(await written()).toMatchObject({ title: "Letter press II", content });

    const reader = await environment.person("editor-reader");
    const token = await shareFully(creator, ideaId);
    await agreeTo(reader, token, { name: "Rosa Lindt", email: "rosa@example.com" });
    await reader.page.goto(`/document/${token}`);
    const link = reader.page.getByRole("link", { name: words });
    await link.waitFor();
    expect(await link.getAttribute("rel")).toMatch(/noopener.*nofollow/);
    await reader.page.getByRole("button", { name: /play/i }).waitFor();
    await audit(reader.page, "document-rich");
  });

  test("a long document stands in the editor as its reader sees it, down to its end", async () => {
    const part =
      "<h2>Part</h2><p>It folds.</p><ul><li>one</li><li>two</li></ul><blockquote>So said Ada.</blockquote><p>It is light.</p><hr><h3>Detail</h3><p>End.</p>";
    const id = await saveDraft(creator, "Long", part.repeat(20));
    const places = (page: Page) =>
      page.locator(".prose-document").evaluate((text) => {
        const top = text.getBoundingClientRect().top;
        return [...text.children].map((block) =>
          Math.round(block.getBoundingClientRect().top - top),
        );
      });
    const reader = await environment.person("editor-long-reader");
    const token = await shareFully(creator, id);
    await agreeTo(reader, token, { name: "Rosa Lindt", email: "rosa@example.com" });
    await reader.page.goto(`/document/${token}`);
    await reader.page.getByText("End.").last().waitFor();
    const seen = await places(reader.page);
    expect(seen).toHaveLength(160);

    await creator.page.goto(`/editor/${id}`);
    await creator.page.getByText("End.").last().waitFor();
    await expect.poll(() => places(creator.page)).toEqual(seen);
  });

  test("forced colours show which buttons are pressed, and how full the storage is", async () => {
    const { page } = creator;
    const id = await saveDraft(creator, "Contrast", "<p><strong>Black</strong></p>");
    await page.emulateMedia({ forcedColors: "active" });
    await page.goto(`/editor/${id}`);
    await body(page).getByText("Black").click();
    const pressed = page.getByRole("button", { name: "Bold", pressed: true });
    await pressed.waitFor();
    const background = (element: Element) => getComputedStyle(element).backgroundColor;
    const other = page.getByRole("button", { name: "Italic", pressed: false });
    expect(await pressed.evaluate(background)).not.toBe(await other.evaluate(background));
    await page.goto("/profile");
    const bar = page.getByRole("region", { name: "Storage" }).locator("[style^=width]");
    await bar.waitFor({ state: "attached" });
    const [full, rest] = await bar.evaluate((element) =>
      [element, element.parentElement ?? element].map((e) => getComputedStyle(e).backgroundColor),
    );
    expect(full).not.toBe(rest);
    await page.emulateMedia({ forcedColors: null });
  });

  test("the status of an upload leaves the note about a paste to be pressed", async () => {
    const { page } = creator;
    const id = await saveDraft(creator, "Collage", "<p>Glue</p>");
    await page.goto(`/editor/${id}`);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/api/upload/image", async (route) => {
      await released;
      await route.continue();
    });
    await body(page).click();
    await body(page).evaluate((element) => {
      const canvas = document.createElement("canvas");
      canvas.width = 8;
      canvas.height = 8;
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/html", `<p><u>Paper</u></p><img src="${canvas.toDataURL()}">`);
      const options = { clipboardData, bubbles: true, cancelable: true };
      element.dispatchEvent(new ClipboardEvent("paste", options));
    });
    const status = page.getByText("Uploading image…");
    await status.waitFor();
    const undo = page.getByRole("button", { name: "Undo paste" });
    const [above, below] = [await status.boundingBox(), await undo.boundingBox()];
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
    await undo.click();
    await expect.poll(() => body(page).innerText()).toBe("Glue");
    release();
    await status.waitFor({ state: "detached" });
    await page.unroute("**/api/upload/image");
  });

  test("the account menu, and deleting a draft after confirmation", async () => {
    const { page } = creator;
    await page.goto("/dashboard");
    await page.getByRole("heading", { name: "Idea Portfolio" }).waitFor();
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Log Out" }).waitFor();
    await audit(page, "dashboard-menu");
    await page.keyboard.press("Escape");
    await page.getByText("Letter press II").hover();
    await page.getByRole("button", { name: "Delete Letter press II" }).click();
    await expectText(
      page,
      'Are you sure you want to delete "Letter press II"? This action cannot be undone.',
    );
    await audit(page, "dashboard-deleting");
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await expectToast(page, "Idea deleted successfully!");
    await page.getByText("Letter press II").waitFor({ state: "detached" });
  });
});
