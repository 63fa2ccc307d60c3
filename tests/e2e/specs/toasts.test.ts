import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { expectToast } from "../pages/common";
import { notSignedIn, type Person, viewport } from "../support/browser";
import { startEnvironment, type TestEnvironment } from "../support/environment";
import { pdf } from "../support/files";
import { agreeTo, giveDetailsTo, importPdf, saveDraft, shareFully, signIn } from "../support/seed";
import { settled } from "../support/settled";

const sizes = [
  { width: 320, height: 640 },
  { width: 375, height: 667 },
  { width: 1440, height: 740 },
];

let environment: TestEnvironment;
let creator: Person;
let reader: Person;
let newcomer: Person;
const names: Record<string, string> = {};

beforeAll(async () => {
  environment = await startEnvironment("toasts");
  const refused = /status of 503 /;
  creator = await environment.person("toasts-creator", [refused]);
  reader = await environment.person("toasts-reader", [notSignedIn, refused]);
  newcomer = await environment.person("toasts-newcomer", [notSignedIn, refused]);
  await signIn(creator, { name: "Ada Quill", email: "ada@example.org", password: "ink-ink" });
  const lines = Array.from({ length: 80 }, (_, line) => `<p>Line ${line}</p>`).join("");
  const draft = await saveDraft(creator, "Folding loom", lines);
  const file = pdf(
    "loom.pdf",
    Array.from({ length: 4 }, (_, page) => `Page ${page}`),
  );
  const imported = await importPdf(creator, file, "Drawings");
  names.draft = String(draft);
  names.text = await shareFully(creator, draft);
  names.pdf = await shareFully(creator, imported);
  names.agreement = await shareFully(creator, draft);
  const rosa = { name: "Rosa Lindt", email: "rosa@example.com" };
  await agreeTo(reader, names.text, rosa);
  await agreeTo(reader, names.pdf, rosa);
  await giveDetailsTo(reader, names.agreement, rosa);
  for (const { context } of [creator, reader, newcomer]) {
    await context.addInitScript(keepToasts);
    await context.route(/\/api\/(auth\/logout|recipients(\/[\w-]+\/nda)?)$/, (route) =>
      route.fulfill({ status: 503 }),
    );
  }
});
afterAll(() => environment?.stop());
afterEach(() => expect(environment.complaints()).toEqual([]));

const logOut = async (page: Page) => {
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("menuitem", { name: "Log Out" }).click();
  await expectToast(page, "Failed to logout. Please try again.");
};
const save = async (page: Page) => {
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expectToast(page, "Idea updated successfully");
};
const saveName = async (page: Page) => {
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expectToast(page, "Profile updated");
};
const download = async (page: Page) => {
  await page.getByRole("button", { name: "Download", exact: true }).click();
  await expectToast(page, "Download Started");
};
const giveDetails = async (page: Page) => {
  await page.getByLabel("Full name").fill("Nell Ford");
  await page.getByLabel("Email").fill("nell@example.com");
  await page.getByRole("button", { name: "Continue to the agreement" }).click();
  await expectToast(page, "Failed to submit your information. Please try again.");
};
const agree = async (page: Page) => {
  const text = page.getByRole("region", { name: "Agreement text" });
  await text.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await page.getByRole("button", { name: "I Agree" }).click();
  await expectToast(page, "Failed to record your agreement. Please try again.");
};

const screens: [path: string, who: () => Person, showToast: (page: Page) => Promise<void>][] = [
  ["/dashboard", () => creator, logOut],
  ["/editor/{draft}", () => creator, save],
  ["/share/{draft}", () => creator, logOut],
  ["/readers/{draft}", () => creator, logOut],
  ["/evidence/{draft}", () => creator, logOut],
  ["/profile", () => creator, saveName],
  ["/collect/{text}", () => newcomer, giveDetails],
  ["/nda/{agreement}", () => reader, agree],
  ["/document/{text}", () => reader, download],
  ["/document/{pdf}", () => reader, download],
];

afterEach(async () => {
  for (const { page } of [creator, reader, newcomer]) await page.setViewportSize(viewport);
});

test.each(screens)(
  "on %s, the toast stands at the top, where nothing can be pressed",
  async (path, who, showToast) => {
    const { page } = who();
    await page.goto(path.replace(/\{(\w+)\}/, (_, name) => names[name] ?? name));
    await showToast(page);
    for (const size of sizes) {
      await page.setViewportSize(size);
      for (const isScrolled of [false, true]) {
        await page.evaluate(
          (end) => scrollTo(0, end ? document.body.scrollHeight / 2 : 0),
          isScrolled,
        );
        await settled(page);
        expect(await page.evaluate(problems), `${size.width} px, ${isScrolled}`).toEqual([]);
      }
    }
  },
);

test("a dialog leaves the toast its place", async () => {
  const { page } = creator;
  await page.goto("/dashboard");
  await logOut(page);
  await page.getByText("Folding loom").hover();
  await page.getByRole("button", { name: "Delete Folding loom" }).click();
  const question = page.getByRole("alertdialog");
  await question.waitFor();
  for (const size of [...sizes, { width: 640, height: 240 }]) {
    await page.setViewportSize(size);
    await settled(page);
    const toast = await page.locator("[data-toasts] li").boundingBox();
    expect(toast?.y).toBeGreaterThanOrEqual(0);
    const end = (toast?.y ?? 0) + (toast?.height ?? 0);
    expect(end).toBeLessThanOrEqual((await question.boundingBox())?.y ?? 0);
  }
  await page.keyboard.press("Escape");
});

/** Runs in the page: a toast stays while another window has the focus. */
function keepToasts(): void {
  new MutationObserver(() => {
    if (document.querySelector("[data-toasts] li")) window.dispatchEvent(new Event("blur"));
  }).observe(document, { childList: true, subtree: true });
}

/**
 * Runs in the page. Returns what is wrong with the place of the toast: it has to be in the strip
 * below the header, at the upper edge of a page that is scrolled, and in front of nothing else.
 */
function problems(): string[] {
  const toast = document.querySelector("[data-toasts] li");
  const strip = document.querySelector("header + div");
  const header = document.querySelector("header");
  if (!toast || !strip || !header) return ["no toast, or no place for it"];
  const place = toast.getBoundingClientRect();
  const free = strip.getBoundingClientRect();
  const found: string[] = [];
  const top = Math.max(0, header.getBoundingClientRect().bottom);
  if (Math.abs(free.top - top) > 1) found.push(`the strip is at ${free.top}, not at ${top}`);
  if (place.top < free.top - 1 || place.bottom > free.bottom + 1) {
    found.push(`from ${place.top} to ${place.bottom}, not within ${free.top} to ${free.bottom}`);
  }
  const middle = document.documentElement.clientWidth / 2;
  if (Math.abs((place.left + place.right) / 2 - middle) > 1) found.push("not in the middle");
  if (place.width > 420) found.push(`${place.width} px wide`);
  for (let x = place.left + 1; x < place.right; x += 8) {
    for (let y = place.top + 1; y < place.bottom; y += 4) {
      const [next] = document.elementsFromPoint(x, y).filter((element) => !toast.contains(element));
      if (next !== strip) found.push(`on or below it: ${next?.outerHTML.slice(0, 200)}`);
    }
  }
  return found.slice(0, 3);
}
