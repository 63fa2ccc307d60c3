/** Text written on this page that is not saved yet. */

import { useEffect } from "react";

const sources = new Set<() => boolean>();

/** Registers a source, which says whether it has any. The returned function unregisters it. */
export function registerUnsavedWork(source: () => boolean): () => void {
  sources.add(source);
  return () => {
    sources.delete(source);
  };
}

/** Registers unsaved work while `isUnsaved` holds. */
export function useUnsavedWork(isUnsaved: boolean): void {
  useEffect(() => (isUnsaved ? registerUnsavedWork(() => true) : undefined), [isUnsaved]);
}

export const hasUnsavedWork = (): boolean => [...sources].some((source) => source());
