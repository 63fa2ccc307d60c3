import type { createMemoryRouter } from "react-router";

type Router = Pick<ReturnType<typeof createMemoryRouter>, "state" | "subscribe">;

/**
 * Resolves when the first screen can be rendered completely: its chunk is loaded and its guard has
 * passed. Until then the page shows the markup that the server sent.
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
