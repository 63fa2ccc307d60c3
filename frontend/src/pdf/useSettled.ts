import { useEffect, useState } from "react";

const SETTLING_MS = 120;

/** A number once it has stopped changing; while it does, pictures are stretched, not redrawn. */
export function useSettled(value: number): number {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
