import { useEffect } from "react";
import { api } from "@/api/enhanced";
import { useAppDispatch } from "@/store/hooks";
import { commentsFailed, viewTimeElapsed } from "./viewEnd";
import { type FoundShare, timeLeft } from "./visit";

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
 * open, or when the server no longer returns its comments.
 */
export function useViewEnd({ token, shared, receivedAt }: FoundShare): void {
  const dispatch = useAppDispatch();
  const { error } = api.endpoints.listComments.useQueryState({ ideaId: shared.idea.id });
  useEffect(() => {
    if (error) dispatch(commentsFailed(token, error));
  }, [dispatch, token, error]);
  useEffect(() => {
    const left = timeLeft(shared, receivedAt);
    if (left === null) return;
    let stopped = false;
    let isAsking = false;
    let timer = setTimeout(look, Math.min(left, LOOK_MS));
    async function look() {
      if (isAsking) return;
      clearTimeout(timer);
      const left = timeLeft(shared, receivedAt) ?? 0;
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
  }, [dispatch, token, shared, receivedAt]);
}
