import { useLayoutEffect, useRef } from "react";

/**
 * Returns a function that says whether the component is still mounted, so that what comes after an
 * answer of the server does not navigate away from another screen.
 */
export function useIsMounted(): () => boolean {
  const isMounted = useRef(false);
  // Not a passive effect, which ends some time after the component has left the page.
  useLayoutEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return () => isMounted.current;
}
