import { useEffect, useRef } from "react";

/** Tells a delayed step whether its screen is still there, so that it never drags anybody back. */
export function useIsShown(): () => boolean {
  const shown = useRef(false);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  return () => shown.current;
}
