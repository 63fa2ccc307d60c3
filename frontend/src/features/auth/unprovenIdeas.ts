/**
 * Navigation state for the login after a password reset of an account that has ideas but whose
 * address had never been confirmed: somebody else may have registered it.
 */
export const unprovenIdeas = { unprovenIdeas: true } as const;

/** Whether a navigation has that state. */
export const bringsUnprovenIdeas = (state: unknown): boolean =>
  typeof state === "object" && state !== null && "unprovenIdeas" in state;
