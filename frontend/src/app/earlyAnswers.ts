import type { createMemoryRouter } from "react-router";

type Router = Pick<ReturnType<typeof createMemoryRouter>, "state" | "subscribe">;

/**
 * Drops, once the first page is left, the answers that public/early.js asked for and no page took:
 * a later page needs the present state, and somebody else may have signed in.
 */
export function dropEarlyAnswers(router: Router): void {
  // After a reload, the page still has the key that a navigation gave it.
  const first = router.state.location.key;
  router.subscribe(({ location }) => {
    if (location.key !== first) window.takeEarlyAnswer = undefined;
  });
}
