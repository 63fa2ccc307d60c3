import type { createMemoryRouter } from "react-router";

type Router = Pick<ReturnType<typeof createMemoryRouter>, "state" | "subscribe">;

/**
 * Settles when the first screen can be rendered whole: its code is here, and its guard has
 * answered. Until then the page shows what the server wrote into it.
 */
export function firstScreenReady(router: Router): Promise<void> {
  return new Promise((resolve) => {
    if (router.state.initialized) return resolve();
    const unsubscribe = router.subscribe(({ initialized }) => {
      if (!initialized) return;
      unsubscribe();
      resolve();
    });
  });
}
