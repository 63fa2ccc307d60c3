import { useEffect, useState } from "react";
import { whenIdle } from "./whenIdle";

/** Whether the page has been idle since the component was mounted: its first screen is shown. */
export function useWasIdle(): boolean {
  const [wasIdle, setWasIdle] = useState(false);
  useEffect(() => {
    let isMounted = true;
    void whenIdle().then(() => {
      if (isMounted) setWasIdle(true);
    });
    return () => {
      isMounted = false;
    };
  }, []);
  return wasIdle;
}
