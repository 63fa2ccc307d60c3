const PROTECTED = /^\/(dashboard|profile|editor\/|share\/)/;

/** Whether a path belongs to the signed-in routes of spec section 2. */
export const isProtectedPath = (pathname: string): boolean => PROTECTED.test(pathname);
