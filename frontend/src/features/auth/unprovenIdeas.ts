/**
 * What the login is told by a reset of an account whose address nobody had confirmed before, and
 * which holds ideas: whoever registered it need not have been its owner.
 */
export const unprovenIdeas = { unprovenIdeas: true } as const;

/** Whether a navigation brought that. */
export const bringsUnprovenIdeas = (state: unknown): boolean =>
  typeof state === "object" && state !== null && "unprovenIdeas" in state;
