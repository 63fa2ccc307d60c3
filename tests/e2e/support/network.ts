import type { BrowserContext, Page } from "playwright-core";

/** A request held back by a test. */
export interface DeferredRequest {
  /** Sends it. */
  release(): void;
  /** Breaks the connection. */
  abort(): void;
}

/** Holds the next request to this path, like a slow network. */
export async function deferRequest(page: Page, path: string): Promise<DeferredRequest> {
  let decide = (_isBroken: boolean) => {};
  const decision = new Promise<boolean>((resolve) => {
    decide = resolve;
  });
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      if (await decision) await route.abort("connectionreset");
      else await route.continue();
    },
    { times: 1 },
  );
  return { release: () => decide(false), abort: () => decide(true) };
}

/**
 * Lets the next request to this path reach the server, and holds its answer back. The returned
 * function breaks the connection, once the server has answered. The browser gets no cookie of the
 * answer either.
 */
export async function loseAnswer(page: Page, path: string | RegExp): Promise<() => Promise<void>> {
  let lose = () => {};
  const decision = new Promise<void>((resolve) => {
    lose = resolve;
  });
  let isLost = () => {};
  const lost = new Promise<void>((resolve) => {
    isLost = resolve;
  });
  await page.route(
    ({ pathname }) => (typeof path === "string" ? pathname === path : path.test(pathname)),
    async (route) => {
      const cookies = await page.context().cookies();
      await route.fetch();
      await page.context().clearCookies();
      await page.context().addCookies(cookies);
      await decision;
      await route.abort("connectionreset");
      isLost();
    },
    { times: 1 },
  );
  return () => {
    lose();
    return lost;
  };
}

/** Holds back the app's scripts; returns a function that releases them. */
export async function deferScripts(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/[^/]+\.js$/, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Limits uploads to this many bytes per second; returns a function that ends that. */
export async function slowUploads(
  context: BrowserContext,
  page: Page,
  bytesPerSecond: number,
): Promise<() => Promise<void>> {
  const session = await context.newCDPSession(page);
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  });
  return () => session.detach();
}
