/** Delay after registering and after agreeing, in milliseconds (docs/rules.md#ui-constants). */
export const VERIFICATION_DELAY_MS = 2000;

/** Resolves after `ms` milliseconds. */
export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));
