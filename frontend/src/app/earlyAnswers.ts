import type { createMemoryRouter } from "react-router";

type Router = Pick<ReturnType<typeof createMemoryRouter>, "state" | "subscribe">;

/** Key of the location that the document was loaded at. */
const FIRST_LOCATION = "default";

/**
 * Drops, once the first page is left, the answers that public/early.js asked for and no page took:
 * a later page needs the present state, and somebody else may have signed in.
 */
export function dropEarlyAnswers(router: Router): void {
  const dropWhenLeft = ({ location }: Pick<Router["state"], "location">) => {
    if (location.key !== FIRST_LOCATION) window.takeEarlyAnswer = undefined;
  };
  dropWhenLeft(router.state);
  router.subscribe(dropWhenLeft);
}
