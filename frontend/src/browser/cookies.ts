/** Shown where the server would not recognise the visitor again; only a reload can help. */
export const cookiesBlocked =
  "Your browser does not keep this site's cookies, so you cannot get in. Please allow cookies for this site, then reload the page.";

/**
 * Returns the problem that the browser itself reports. A browser may drop cookies without saying so:
 * only the server's next answer shows that.
 */
export const cookieProblem = (): string | null =>
  // Shells are rendered at build time, without a browser.
  globalThis.navigator?.cookieEnabled === false ? cookiesBlocked : null;
