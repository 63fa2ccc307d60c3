import { useEffect, useState } from "react";

/** Delay of skeletons in milliseconds, so that fast responses do not flash. */
const SKELETON_DELAY_MS = 150;

/** Returns true once something has been pending for longer than the delay. */
export function useDelayed(pending: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!pending) return;
    const timer = setTimeout(() => setLate(true), SKELETON_DELAY_MS);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [pending]);
  return pending && late;
}
