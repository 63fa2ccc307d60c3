/** Said where a page cannot know its visitor again; until a reload there is no use in trying. */
export const cookiesBlocked =
  "Your browser does not keep this site's cookies, so you cannot get in. Please allow cookies for this site, then reload the page.";

/**
 * Returns the problem that the browser itself admits. That a cookie did not come back although it
 * says nothing, only the server's next answer tells.
 */
export const cookieProblem = (): string | null =>
  // Shells are rendered at build time, without a browser.
  globalThis.navigator?.cookieEnabled === false ? cookiesBlocked : null;
