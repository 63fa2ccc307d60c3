import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { inject } from "vitest";
import { artifacts } from "./artifacts";

/** Everyday desktop; audits look at the narrow and the wide ones. */
export const viewport = { width: 1280, height: 800 };

/** What the console says of a dead link: the refused request, and the app's own line. */
export const deadLink = [
  /status of 404 .*\(\/api\/share\//,
  /^Failed to verify the share link 404/,
];

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: inject("chromium"),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** One person at a browser of their own: no cookie or storage is shared with another's. */
export interface Person {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors, page errors and requests to other origins so far. */
  readonly complaints: string[];
  /** Leaves, after a picture of what they saw last. */
  leave(): Promise<void>;
}

/**
 * `expected` names the console errors that a test means to cause, for instance by a
 * request that must fail; they are matched against "text (path of the source)".
 */
export async function newPerson(
  browser: Browser,
  name: string,
  origin: string,
  expected: RegExp[] = [],
): Promise<Person> {
  const context = await browser.newContext({ baseURL: origin, viewport, locale: "en-GB" });
  context.setDefaultTimeout(10_000);
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
  const page = await context.newPage();

  const complaints: string[] = [];
  page.on("console", (message) => {
    const { url } = message.location();
    const error = `${message.text()} (${URL.canParse(url) ? new URL(url).pathname : url})`;
    if (message.type() === "error" && !expected.some((pattern) => pattern.test(error))) {
      complaints.push(`console: ${error}`);
    }
  });
  page.on("pageerror", (error) => complaints.push(`page error: ${error.stack ?? error.message}`));
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (!["data:", "blob:"].includes(url.protocol) && url.origin !== origin) {
      complaints.push(`request to another origin: ${url}`);
    }
  });

  return {
    page,
    context,
    complaints,
    async leave() {
      await page.screenshot({ path: join(artifacts, `last-${name}.png`) });
      await context.close();
    },
  };
}
