const PROTECTED = /^\/(dashboard|profile|editor\/|share\/|evidence\/)/;

/** Whether a path needs a signed-in user. */
export const isProtectedPath = (pathname: string): boolean => PROTECTED.test(pathname);
