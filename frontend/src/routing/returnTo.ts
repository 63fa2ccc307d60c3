/**
 * Session storage key for the address that a visitor requested before the guard redirected to the
 * login. A module of its own, because the guard is part of every page.
 */
export const RETURN_TO_KEY = "returnTo";
