/** The delay after registering and after agreeing (spec section 9). */
export const VERIFICATION_DELAY_MS = 2000;

/** Resolves after `ms`. */
export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));
