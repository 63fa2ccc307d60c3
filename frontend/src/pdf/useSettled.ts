import { useEffect, useState } from "react";

const SETTLING_MS = 120;

/**
 * Returns a number once it has stopped changing; meanwhile pictures are stretched instead of
 * redrawn.
 */
export function useSettled(value: number): number {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
