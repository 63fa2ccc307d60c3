import type { Request } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { api } from "../support/api";
import { missingPage, notSignedIn, type Person } from "../support/browser";
import { startEnvironment, type TestEnvironment } from "../support/environment";
import { agreeTo, saveDraft, shareFully, signIn } from "../support/seed";

/**
 * Requests later than this many milliseconds after the load, or when idle, are not part of the
 * start.
 */
const IDLE_MS = 1500;

let environment: TestEnvironment;
let visitor: Person;
let creator: Person;
let reader: Person;
const names: Record<string, string> = {};

beforeAll(async () => {
  environment = await startEnvironment("shells");
  visitor = await environment.person("shells-visitor", [missingPage, notSignedIn]);
  creator = await environment.person("shells-creator");
  reader = await environment.person("shells-reader", [notSignedIn]);
  await signIn(creator, { name: "Ada Quill", email: "ada@example.org", password: "ink-ink" });
  const draft = await saveDraft(creator, "Folding loom", "<p>It folds.</p>");
  names.draft = String(draft);
  const tags = ["loom", "small enough for any room"];
  const tagged = await api(creator.context).put(`/api/ideas/${draft}/organize`, { data: { tags } });
  expect(tagged.ok()).toBe(true);
  names.token = await shareFully(creator, draft);
  await agreeTo(reader, names.token, { name: "Rosa Lindt", email: "rosa@example.com" });
  for (const { context } of [visitor, creator, reader]) {
    await context.addInitScript((idle) => {
      localStorage.setItem("cookieConsent", "true");
      const later = window.setTimeout.bind(window);
      Object.assign(window, {
        setTimeout: (run: () => void, delay?: number) => (delay === idle ? 0 : later(run, delay)),
        requestIdleCallback: () => 0,
      });
    }, IDLE_MS);
  }
});
afterAll(() => environment?.stop());
afterEach(() => expect(environment.complaints()).toEqual([]));

const screens: [path: string, who: () => Person, ready: string][] = [
  ["/", () => visitor, "[name=theme]:not([inert] *)"],
  ["/login", () => visitor, "form:not([inert])"],
  ["/register", () => visitor, "form:not([inert])"],
  ["/forgot-password", () => visitor, "form:not([inert])"],
  ["/reset-password/none", () => visitor, "form:not([inert])"],
  ["/about", () => visitor, "[name=theme]:not([inert] *)"],
  ["/no-such-page", () => visitor, "[name=theme]:not([inert] *)"],
  ["/collect/{token}", () => visitor, "form:not([inert])"],
  ["/document/{token}", () => reader, ".prose-document p"],
  ["/dashboard", () => creator, "search:not([inert])"],
  ["/editor/{draft}", () => creator, "[contenteditable=true]"],
  ["/share/{draft}", () => creator, "form:not([inert])"],
  ["/evidence/{draft}", () => creator, "main svg[role=img]"],
  ["/verify", () => visitor, "form:not([inert])"],
  ["/profile", () => creator, "form:not([inert])"],
];

test.each(screens)(
  "%s announces every script that it starts with, and needs no style sheet",
  async (path, who, ready) => {
    const { page } = who();
    await page.goto(path.replace(/\{(\w+)\}/g, (_, name) => names[name] ?? name));
    await page.waitForSelector(ready, { state: "attached" });
    await page.waitForLoadState("networkidle");
    const { announced, loaded, sheets } = await page.evaluate(() => ({
      announced: Array.from(
        document.head.querySelectorAll<HTMLElement>("link[rel=modulepreload], script[src]"),
        (element) =>
          new URL(
            element.getAttribute("href") ?? element.getAttribute("src") ?? "",
            location.origin,
          ).pathname,
      ),
      loaded: performance
        .getEntriesByType("resource")
        .map(({ name }) => new URL(name).pathname)
        .filter((name) => name.endsWith(".js")),
      sheets: performance
        .getEntriesByType("resource")
        .map(({ name }) => new URL(name).pathname)
        .filter((name) => name.endsWith(".css")),
    }));
    expect(loaded.filter((name) => !announced.includes(name))).toEqual([]);
    expect(announced.filter((name) => !loaded.includes(name))).toEqual([]);
    expect(sheets).toEqual([]);
  },
);

test("the first styles of a document have what its own style sheet takes from the others", async () => {
  const { page } = reader;
  await page.goto(`/document/${names.token}`);
  await page.waitForSelector(".prose-document p", { state: "attached" });
  // In one step: the page replaces what its document shows.
  const font = await page.evaluate(() => {
    const text = document.querySelector(".prose-document p");
    return text && getComputedStyle(text).fontFamily;
  });
  expect(font).toMatch(/^"Source Serif 4 Variable"/);
});

test("one font stands in for text and headings, with their widths and heights", async () => {
  const { page } = visitor;
  await page.route("**/*.woff2", (route) => route.fulfill({ body: "" }));
  await page.goto("/about");
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("DOM.enable");
  await devTools.send("CSS.enable");
  const { root } = await devTools.send("DOM.getDocument");
  const familiesOf = async (selector: string) => {
    const place = { nodeId: root.nodeId, selector };
    const { nodeId } = await devTools.send("DOM.querySelector", place);
    const { fonts } = await devTools.send("CSS.getPlatformFontsForNode", { nodeId });
    return fonts.map(({ familyName }) => familyName);
  };
  const ofText = await familiesOf("main p");
  expect(ofText).toHaveLength(1);
  expect(await familiesOf("h1")).toEqual(ofText);
  expect(await familiesOf("main h2")).toEqual(ofText);
  await devTools.detach();
  await page.unroute("**/*.woff2");
  // Fonts that could not be decoded are complaints of the console.
  environment.complaints();

  await page.reload();
  const ratios = await page.evaluate(async () => {
    const drawing = document.createElement("canvas").getContext("2d");
    const text = "The reader keeps everything that is disclosed confidential. Share your idea";
    const measure = async (font: string) => {
      await document.fonts.load(font);
      if (!drawing) throw new Error("no canvas");
      drawing.font = font;
      const { width, fontBoundingBoxAscent, fontBoundingBoxDescent } = drawing.measureText(text);
      return [width, fontBoundingBoxAscent + fontBoundingBoxDescent] as const;
    };
    const pairs = [
      ["400 100px 'Public Sans Variable'", "400 100px 'Public Sans Stand-in'"],
      ["600 100px 'Public Sans Variable'", "600 100px 'Public Sans Stand-in'"],
      ["400 100px 'Source Serif 4 Variable'", "400 100px 'Source Serif Stand-in'"],
      ["600 100px 'Source Serif 4 Variable'", "600 100px 'Source Serif Stand-in'"],
    ] as const;
    const found: number[] = [];
    for (const [ours, standIn] of pairs) {
      const [width, height] = await measure(ours);
      const [itsWidth, itsHeight] = await measure(standIn);
      found.push(itsWidth / width, itsHeight / height);
    }
    return found;
  });
  for (const ratio of ratios) expect(Math.abs(ratio - 1)).toBeLessThan(0.02);
});

test.each([
  ["/collect/{token}", () => visitor, "form:not([inert])"],
  ["/document/{token}", () => reader, ".prose-document p"],
] as const)("%s looks the link up once", async (path, who, ready) => {
  const { page } = who();
  const requests: string[] = [];
  const note = (request: Request) => requests.push(new URL(request.url()).pathname);
  page.on("request", note);
  await page.goto(path.replace("{token}", names.token ?? ""));
  await page.waitForSelector(ready, { state: "attached" });
  await page.waitForLoadState("networkidle");
  page.off("request", note);
  const lookups = requests.filter((request) => request === `/api/share/${names.token}`);
  expect(lookups).toHaveLength(1);
});

test.each([375, 1440])(
  "the dashboard goes on from the ideas in its document, at %i px",
  async (width) => {
    const { page } = creator;
    await page.setViewportSize({ width, height: 812 });
    const card = page.locator("main li").first();
    // They are optional: which page has them depends on when they come.
    await page.route("**/*.woff2", (route) => route.fulfill({ body: "" }));
    await page.route("**/*.js", (route) => route.abort());
    // The server leaves them out of a document where reading them takes it long.
    const shown = async () => {
      await page.goto("/dashboard", { waitUntil: "domcontentloaded" });
      return card.getByText("Folding loom").count();
    };
    await expect.poll(shown).toBe(1);
    const before = await card.boundingBox();
    environment.complaints();
    await page.unroute("**/*.js");

    await page.addInitScript(() => {
      // Not before: a document that is being read has its beginning first.
      let hasCards = false;
      new MutationObserver(() => {
        const had = hasCards;
        hasCards = document.querySelector("main li") !== null;
        if (had && !hasCards) document.documentElement.dataset.waited = "";
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto("/dashboard");
    await page.waitForSelector("search:not([inert])", { state: "attached" });
    expect(await page.locator("html[data-waited]").count()).toBe(0);
    expect(await card.boundingBox()).toEqual(before);
    await page.unrouteAll();
  },
);

test("a page shows its text without a script", async () => {
  const { page } = visitor;
  await page.route("**/*.js", (route) => route.abort());
  await page.goto("/login", { waitUntil: "commit" });
  await page.locator("h1", { hasText: "Welcome back" }).waitFor();
  await page.goto("/nda/anything", { waitUntil: "commit" });
  await page.locator("[role=status]", { hasText: "Verifying access..." }).waitFor();
  await page.unrouteAll();
  environment.complaints();
});
