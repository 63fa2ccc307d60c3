/**
 * The browser storage key that spec section 9 fixes: 'true' or 'false', absent until answered. Also
 * read by public/theme.js before first paint.
 */
export const COOKIE_CONSENT_KEY = "cookieConsent";

/** The element behind the page that the question stands in; its styles know it, too. */
export const COOKIE_PLACE_ID = "cookies";
