import { useEffect, useState } from "react";

/** Skeletons wait this long, so that quick answers do not flash. */
const PATIENCE_MS = 150;

/** True once something has been pending for longer than a reader would not notice. */
export function useLateness(pending: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!pending) return;
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [pending]);
  return pending && late;
}
