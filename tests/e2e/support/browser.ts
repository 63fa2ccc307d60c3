import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { inject } from "vitest";
import { artifacts } from "./artifacts";

/** Viewport of a usual desktop; audits use the narrow and the wide ones. */
export const viewport = { width: 1280, height: 800 };

const smallestPhone = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };

/** The console error of a browser whose visit has ended. */
export const endedVisit = /status of 410 .*\(\/api\/share\/[^/]+\)/;

/** Console messages of an invalid link: the refused request, and the app's own line. */
export const deadLink = [
  /status of 404 .*\(\/api\/share\//,
  /^Failed to verify the share link 404/,
];

/** Console message of the guard's request without a session. */
export const notSignedIn = /status of 401 .*\(\/api\/auth\/me\)/;

/** Console message of an unknown page, whose document has status 404. */
export const missingPage = /status of 404 .*\(\/no[/-]such[/-]page\)$/;

/** Connects to the browser that all specs share; closing the connection does not stop it. */
export function connect(): Promise<Browser> {
  return chromium.connect(inject("browserEndpoint"));
}

/** One user with a browser context of their own: no cookies or storage are shared. */
export interface Person {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors, page errors and requests to other origins so far. */
  readonly complaints: string[];
  /** Takes a last screenshot and closes the context. */
  leave(): Promise<void>;
}

/** Options of a person. */
export interface PersonOptions {
  /** Has not answered the cookie question, so it is on every page. */
  fresh?: boolean;
  /** Uses the smallest phone, with touch. */
  phone?: boolean;
}

/**
 * Opens a browser context. `expected` lists the console errors that a test causes on purpose, for
 * instance by a request that must fail; they are matched against "text (path of the source)".
 */
export async function newPerson(
  browser: Browser,
  name: string,
  origin: string,
  expected: RegExp[] = [],
  { fresh = false, phone = false }: PersonOptions = {},
): Promise<Person> {
  const answered = [{ origin, localStorage: [{ name: "cookieConsent", value: "false" }] }];
  const context = await browser.newContext({
    baseURL: origin,
    ...(phone ? smallestPhone : { viewport }),
    locale: "en-GB",
    storageState: { cookies: [], origins: fresh ? [] : answered },
  });
  context.setDefaultTimeout(60_000);
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
  await context.addInitScript(noteToasts);
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
    if (!isLocal(url) && url.origin !== origin) {
      complaints.push(`request to another origin: ${url}`);
    }
  });

  return {
    page,
    context,
    complaints,
    async leave() {
      await page.screenshot({ path: join(artifacts, `last-${name}.png`), animations: "disabled" });
      await context.close();
    },
  };
}

declare global {
  interface Window {
    /** The texts of the toasts that this page has shown, without those that a test has waited for. */
    shownToasts: string[];
  }
}

/** Runs in the page. */
function noteToasts(): void {
  const region = "[role=region][aria-label^=Notifications]";
  window.shownToasts = [];
  new MutationObserver((records) => {
    const elements = records
      .flatMap(({ addedNodes }) => [...addedNodes])
      .filter((node) => node instanceof Element)
      // The region comes with the first toast.
      .flatMap((added) => [...added.querySelectorAll(added.closest(region) ? "*" : `${region} *`)]);
    const texts = new Set(elements.map(({ textContent }) => textContent));
    for (const text of texts) if (text) window.shownToasts.push(text);
  }).observe(document, { childList: true, subtree: true });
}

/** Whether the page itself or a part of the browser, such as its PDF viewer, made the request. */
const isLocal = ({ protocol }: URL): boolean =>
  ["data:", "blob:", "chrome:", "chrome-extension:"].includes(protocol);
