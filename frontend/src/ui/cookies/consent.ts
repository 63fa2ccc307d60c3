/** The browser storage key that spec section 9 fixes. */
const STORAGE_KEY = "cookieConsent";

/** Whether this browser still has to be asked. */
export const consentIsOpen = (): boolean => localStorage.getItem(STORAGE_KEY) === null;

/** Keeps the answer, so that nobody is asked twice (spec section 4). */
export const storeConsent = (accepted: boolean): void =>
  localStorage.setItem(STORAGE_KEY, String(accepted));
