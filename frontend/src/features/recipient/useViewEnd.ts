import { useEffect } from "react";
import type { SharedIdea } from "@/api/generated";
import { useAppDispatch, useAppSelector } from "@/store/hooks";
import { selectVisit } from "@/store/visitSlice";
import { viewTimeElapsed } from "./viewEnd";
import { timeLeft } from "./visit";

/** Longest timer in milliseconds; browsers fire longer ones at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/**
 * Interval in milliseconds after which to ask again when the server says that the view is still
 * open.
 */
const RECHECK_MS = 30_000;

/**
 * Removes the document when the time of its view is over, also if that was while another screen was
 * open.
 */
export function useViewEnd(token: string, shared: SharedIdea): void {
  const dispatch = useAppDispatch();
  const visit = useAppSelector(selectVisit);
  useEffect(() => {
    const left = timeLeft(visit);
    if (left === null || left > MAX_TIMER_MS) return;
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
