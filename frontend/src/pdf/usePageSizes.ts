import { useCallback, useMemo, useState } from "react";
import type { Size } from "./geometry";

/** Sizes of the pages; one that was not loaded yet is assumed to have the size of the first. */
export function usePageSizes(pageCount: number, usual: Size) {
  const [known, setKnown] = useState<ReadonlyMap<number, Size>>(new Map());
  const sizes = useMemo(
    () => Array.from({ length: pageCount }, (_, index) => known.get(index + 1) ?? usual),
    [known, pageCount, usual],
  );
  const learn = useCallback((number: number, size: Size) => {
    setKnown((before) => {
      const had = before.get(number);
      if (had?.width === size.width && had.height === size.height) return before;
      return new Map(before).set(number, size);
    });
  }, []);
  return { sizes, learn };
}
