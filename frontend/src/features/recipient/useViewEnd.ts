import { useEffect } from "react";
import type { SharedIdea } from "@/api/generated";
import { useAppDispatch } from "@/app/hooks";
import { viewTimeElapsed } from "./visit";

/** Timers beyond this fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** How soon to ask again when the server says that the view still runs. */
const RECHECK_MS = 30_000;

/**
 * Takes the document off the screen when its time is over. A view that the server has just opened
 * cannot be over: if it seems so, this computer's clock is wrong, and only the server can tell.
 */
export function useViewEnd(token: string, shared: SharedIdea): void {
  const dispatch = useAppDispatch();
  useEffect(() => {
    const left = shared.viewEndsAt ? Date.parse(shared.viewEndsAt) - Date.now() : 0;
    if (left <= 0 || left > LONGEST_TIMER_MS) return;
    let timer = setTimeout(elapsed, left);
    async function elapsed() {
      const over = await dispatch(viewTimeElapsed(token, shared));
      if (!over) timer = setTimeout(elapsed, RECHECK_MS);
    }
    return () => clearTimeout(timer);
  }, [dispatch, token, shared]);
}
