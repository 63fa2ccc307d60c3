import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import type { Figures } from "./goals";

/** A phone of the middle class: its screen, its network and how much slower its processor is. */
const screen = { viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true };
const network = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const CPU_SLOWDOWN = 4;

type State = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** The page to visit, and further measurements. */
export interface Visit {
  readonly path: string;
  /** Cookies and storage of who visits; by default those of a newcomer. */
  readonly state?: State;
  /** Resolves when the page can be used. */
  ready(page: Page): Promise<unknown>;
  /** CSS selector of what comes last: the time until a frame shows it is one of the figures. */
  readonly last?: string;
  /** Measures more on the page that is ready. */
  more?(page: Page): Promise<Partial<Figures>>;
}

/** Visits a page once with an empty cache, as the phone does. */
export async function visit(browser: Browser, origin: string, wanted: Visit): Promise<Figures> {
  const context = await browser.newContext({
    ...screen,
    baseURL: origin,
    locale: "en-GB",
    ...(wanted.state ? { storageState: wanted.state } : {}),
  });
  context.setDefaultTimeout(90_000);
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const transferred = await countBytes(session);
    await session.send("Network.emulateNetworkConditions", network);
    await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
    await page.addInitScript(observe, wanted.last);
    await page.goto(wanted.path, { waitUntil: "commit" });
    await wanted.ready(page);
    await page.waitForLoadState("networkidle");
    const { lcp, blocking, ready } = await page.evaluate(() => window.speed);
    const figures = { lcp, blocking, transferred: transferred.kilobytes() };
    if (process.env.IDEAVAULT_PAGES_REQUESTS) await list(page, wanted.path);
    const more = (await wanted.more?.(page)) ?? {};
    return { ...figures, ...(wanted.last === undefined ? {} : { ready }), ...more };
  } finally {
    await context.close();
  }
}

async function countBytes(session: CDPSession) {
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send("Network.enable");
  return { kilobytes: () => bytes / 1000 };
}

declare global {
  interface Window {
    speed: { lcp: number; blocking: number; ready: number; element: string };
  }
}

/** Collects figures in the page; runs before its own scripts. */
function observe(last?: string): void {
  const speed = { lcp: 0, blocking: 0, ready: Number.NaN, element: "" };
  window.speed = speed;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      speed.lcp = entry.startTime;
      const { element } = entry as PerformanceEntry & { element: Element | null };
      speed.element = `${element?.tagName} ${element?.textContent?.slice(0, 60)}`;
    }
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) speed.blocking += Math.max(0, duration - 50);
  }).observe({ type: "longtask", buffered: true });
  if (last === undefined) return;
  // Seen from within: asked from outside, a busy page answers late.
  const frame = new MessageChannel();
  // The message that is sent in a frame arrives after that frame was painted.
  frame.port1.onmessage = () => {
    speed.ready = performance.now();
  };
  const changes = new MutationObserver(() => {
    if (!document.querySelector(last)) return;
    changes.disconnect();
    requestAnimationFrame(() => frame.port2.postMessage(null));
  });
  changes.observe(document, { childList: true, subtree: true });
}

/** Prints every request of the page, to find the cause of a figure. */
async function list(page: Page, path: string): Promise<void> {
  const lines = await page.evaluate(() => [
    `LCP: ${window.speed.element}`,
    ...performance
      .getEntries()
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .map(({ name, startTime, responseEnd, transferSize, encodedBodySize }) =>
        [startTime, responseEnd, transferSize, encodedBodySize]
          .map((value) => String(Math.round(value)).padStart(8))
          .concat(` ${new URL(name).pathname}`)
          .join(""),
      ),
  ]);
  process.stdout.write(`${path}\n${lines.join("\n")}\n`);
}
