/** The browser storage key that spec section 9 fixes: 'true' or 'false', absent until answered. */
export const COOKIE_CONSENT_KEY = "cookieConsent";
