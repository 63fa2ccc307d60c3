import { useEffect, useRef } from "react";

/**
 * Returns a function that says whether the component is still mounted, so that a late step does not
 * navigate away from another screen.
 */
export function useIsMounted(): () => boolean {
  const shown = useRef(false);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  return () => shown.current;
}
