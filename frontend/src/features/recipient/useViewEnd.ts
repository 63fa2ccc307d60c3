import { useEffect } from "react";
import type { SharedIdea } from "@/api/generated";
import { useAppDispatch, useAppSelector } from "@/store/hooks";
import { selectVisit } from "@/store/visitSlice";
import { viewTimeElapsed } from "./viewEnd";
import { timeLeft } from "./visit";

/**
 * Longest time between two looks at the clock, in milliseconds: timers stand still while a computer
 * sleeps.
 */
const LOOK_MS = 10_000;
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
    if (left === null) return;
    let stopped = false;
    let isAsking = false;
    let timer = setTimeout(look, Math.min(left, LOOK_MS));
    async function look() {
      if (isAsking) return;
      clearTimeout(timer);
      const left = timeLeft(visit) ?? 0;
      if (left > 0) {
        timer = setTimeout(look, Math.min(left, LOOK_MS));
        return;
      }
      isAsking = true;
      const over = await dispatch(viewTimeElapsed(token, shared));
      isAsking = false;
      if (!over && !stopped) timer = setTimeout(look, RECHECK_MS);
    }
    document.addEventListener("visibilitychange", look);
    window.addEventListener("pageshow", look);
    return () => {
      stopped = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
      window.removeEventListener("pageshow", look);
    };
  }, [dispatch, token, shared, visit]);
}
