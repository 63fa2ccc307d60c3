import { useEffect } from "react";
import type { SharedIdea } from "@/api/generated";
import { useAppDispatch, useAppSelector } from "@/app/hooks";
import { timeLeft, viewTimeElapsed } from "./visit";
import { selectVisit } from "./visitSlice";

/** Timers beyond this fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** How soon to ask again when the server says that the view still runs. */
const RECHECK_MS = 30_000;

/**
 * Takes the document off the screen when its time is over, also when that was while another screen
 * was looked at.
 */
export function useViewEnd(token: string, shared: SharedIdea): void {
  const dispatch = useAppDispatch();
  const visit = useAppSelector(selectVisit);
  useEffect(() => {
    const left = timeLeft(visit);
    if (left === null || left > LONGEST_TIMER_MS) return;
    let stopped = false;
    let timer = setTimeout(elapsed, left);
    async function elapsed() {
      const over = await dispatch(viewTimeElapsed(token, shared));
      if (!over && !stopped) timer = setTimeout(elapsed, RECHECK_MS);
    }
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [dispatch, token, shared, visit]);
}
