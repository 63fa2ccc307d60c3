/**
 * Key in the tab's session storage: the address of the signed-in page that somebody wanted before
 * the guard sent them to log in. Alone here, because the guard is part of every page.
 */
export const RETURN_TO_KEY = "returnTo";
