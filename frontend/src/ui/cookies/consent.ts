/**
 * Local storage key: 'true' or 'false', absent until answered (docs/rules.md#ui-constants). Also
 * read by public/theme.js before first paint.
 */
export const COOKIE_CONSENT_KEY = "cookieConsent";

/** Id of the element after the page that holds the question; style sheets use it, too. */
export const COOKIE_PLACE_ID = "cookies";
