import type { PageHandle } from "virtual:pages";
import type { createMemoryRouter } from "react-router";
import type { AppRuntime } from "@/store/store";

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

/**
 * Resolves when the page can show what the server's document shows to this browser alone, if it does.
 * Rendered earlier, the page would replace that by a wait.
 */
export async function previewReady({ state }: Router, { store }: AppRuntime): Promise<void> {
  if (!document.querySelector("[data-preview]")) return;
  const page: PageHandle | undefined = state.matches.at(-1)?.route.handle;
  if (page?.prepare) await store.dispatch(page.prepare(state));
}
