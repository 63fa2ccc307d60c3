import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { body } from "../pages/creator";
import { isDrawn } from "../pages/pdf";
import { agreement } from "../pages/recipient";
import { connect, newPerson, type Person } from "../support/browser";
import { pictureBook } from "../support/files";
import {
  agreeTo,
  giveDetailsTo,
  importPdf,
  publish,
  saveDraft,
  shareFully,
  signIn,
} from "../support/seed";
import { type Server, startServer } from "../support/server";
import {
  dashboardPage,
  editorPage,
  type Figures,
  firstPage,
  type Goals,
  linkPage,
  medians,
  missed,
  pdfPage,
  table,
} from "./goals";
import { type Visit, visit } from "./visit";

/*
 * How fast pages are on a slow phone, with an empty cache: `just pages`. Figures depend on the
 * machine, and on what else it does.
 */

/** Visits of each page; the median counts. */
const VISITS = Number(process.env.IDEAVAULT_PAGES_VISITS ?? 3);
/** Keys typed to measure one visit of the editor. */
const KEYS = 60;
const WORDS = 20_000;
/** Paragraphs and headings of that text: see `prose`. */
const BLOCKS = WORDS / 100 + WORDS / 1_000;

type State = Awaited<ReturnType<BrowserContext["storageState"]>>;

let server: Server;
let browser: Browser;
const names: Record<string, string> = {};
const states: Record<string, State> = {};
const rows: [page: string, figures: Figures, goals: Goals][] = [];

beforeAll(async () => {
  server = await startServer("speed", { env: { RUST_LOG: "warn,ideavault=info" } });
  browser = await connect();
  const creator = await newPerson(browser, "speed-creator", server.url);
  await signIn(creator, { name: "Ada Quill", email: "ada@example.org", password: "ink-ink" });
  for (let number = 1; number <= 12; number += 1) {
    await saveDraft(creator, `Folding loom ${number}`, `<p>It folds ${number} times.</p>`);
  }
  names.long = String(await saveDraft(creator, "A long idea", prose(WORDS)));
  const draft = await saveDraft(creator, "Folding loom", prose(1_650));
  await publish(creator, draft);
  names.token = await shareFully(creator, draft);
  const book = pictureBook("book.pdf", 60);
  const pdf = await importPdf(creator, book, "Picture book");
  await publish(creator, pdf);
  names.pdf = await shareFully(creator, pdf);
  await keep("creator", creator, "/dashboard");

  const details = { name: "Rosa Lindt", email: "rosa@example.com" };
  const undecided = await newPerson(browser, "speed-undecided", server.url);
  await giveDetailsTo(undecided, names.token, details);
  await keep("undecided", undecided);
  for (const token of ["token", "pdf"]) {
    const reader = await newPerson(browser, `speed-reader-${token}`, server.url);
    await agreeTo(reader, names[token] ?? "", details);
    await keep(`reader-${token}`, reader);
  }
}, 300_000);

afterAll(async () => {
  process.stdout.write(`\n${table(rows)}\n\n`);
  await browser?.close();
  await server?.stop();
});

/** Keeps who the person is for the visits; opening a page stores there what it keeps itself. */
async function keep(name: string, { page, context }: Person, path?: string): Promise<void> {
  if (path) {
    await page.goto(path);
    await page.waitForLoadState("networkidle");
  }
  states[name] = await context.storageState();
  await context.close();
}

interface Row extends Omit<Visit, "path" | "state"> {
  readonly page: string;
  readonly path: string;
  readonly who?: string;
  readonly goals: Goals;
}

const attached = (selector: string) => (page: Page) =>
  page.waitForSelector(selector, { state: "attached" });

/** Controls are inert until the page runs. */
const running = attached("[name=theme]:not([inert] *)");

const pages: Row[] = [
  { page: "landing", path: "/", goals: firstPage, ready: running },
  { page: "login", path: "/login", goals: firstPage, ready: running },
  { page: "register", path: "/register", goals: firstPage, ready: running },
  { page: "about", path: "/about", goals: firstPage, ready: running },
  { page: "privacy policy", path: "/privacy-policy", goals: firstPage, ready: running },
  { page: "terms", path: "/terms", goals: firstPage, ready: running },
  {
    page: "dashboard",
    path: "/dashboard",
    who: "creator",
    goals: dashboardPage,
    ready: attached("search:not([inert])"),
  },
  {
    page: "entry of a link",
    path: "/collect/{token}",
    goals: linkPage,
    ready: attached("form:not([inert])"),
  },
  {
    page: "agreement",
    path: "/nda/{token}",
    who: "undecided",
    goals: linkPage,
    ready: (page) => agreement(page).waitFor(),
  },
  {
    page: "document, 10 KB",
    path: "/document/{token}",
    who: "reader-token",
    goals: linkPage,
    ready: attached(".prose-document p"),
  },
  {
    page: "PDF, 5 MB",
    path: "/document/{pdf}",
    who: "reader-pdf",
    goals: pdfPage,
    ready: firstPageDrawn,
    // Becomes a part of the page when it is drawn.
    last: "[role=region] canvas, section canvas",
  },
  {
    page: "editor, 20,000 words",
    path: "/editor/{long}",
    who: "creator",
    goals: editorPage,
    ready: (page) => body(page).locator("p").last().waitFor({ state: "attached" }),
    last: `[contenteditable=true] > p:nth-child(${BLOCKS})`,
    more: async (page) => ({ key: await keyToPaint(page) }),
  },
];

test.each(pages)(
  "$page",
  async ({ page, path, who, goals, ...rest }) => {
    const visits: Figures[] = [];
    for (let count = 0; count < VISITS; count += 1) {
      const state = who === undefined ? undefined : states[who];
      visits.push(
        await visit(browser, server.url, {
          ...rest,
          path: path.replace(/\{(\w+)\}/g, (_, name) => names[name] ?? name),
          ...(state ? { state } : {}),
        }),
      );
    }
    const figures = medians(visits);
    rows.push([page, figures, goals]);
    expect(missed(figures, goals)).toEqual([]);
  },
  600_000,
);

async function firstPageDrawn(page: Page): Promise<void> {
  await page.waitForSelector("section canvas, [role=region] canvas", { state: "attached" });
  await expect.poll(() => isDrawn(page, 1), { interval: 50 }).toBe(true);
}

/** Types at the end of the text and returns the 95th percentile until a key is on the screen. */
async function keyToPaint(page: Page): Promise<number> {
  await body(page).locator("p").last().click();
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(window, { keyTimes: times });
    const channel = new MessageChannel();
    const began: number[] = [];
    // The message that is sent in a frame arrives after that frame was painted.
    channel.port1.onmessage = () => {
      for (const time of began.splice(0)) times.push(performance.now() - time);
    };
    document.addEventListener(
      "keydown",
      ({ timeStamp }) => {
        requestAnimationFrame(() => {
          began.push(timeStamp);
          channel.port2.postMessage(null);
        });
      },
      { capture: true },
    );
  });
  await page.keyboard.type("loom ".repeat(KEYS / 5), { delay: 120 });
  await page.waitForTimeout(500);
  const times = await page.evaluate(
    () => (window as Window & { keyTimes?: number[] }).keyTimes ?? [],
  );
  expect(times).toHaveLength(KEYS);
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.95)] ?? Number.NaN;
}

/** Paragraphs of so many words, with headings between them. */
function prose(words: number): string {
  const text = "The loom folds along its warp beam so that a weaver can carry it home.".split(" ");
  let html = "";
  for (let word = 0; word < words; word += 100) {
    if (word % 1_000 === 0) html += `<h2>Part ${word / 1_000 + 1}</h2>`;
    const count = Math.min(100, words - word);
    const paragraph = Array.from({ length: count }, (_, index) => text[index % text.length]);
    html += `<p>${paragraph.join(" ")}</p>`;
  }
  return html;
}
