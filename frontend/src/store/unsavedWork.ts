/** What somebody has written on this page, and nobody has saved. */

const sources = new Set<() => boolean>();

/** Registers a source, which says whether it has any. The returned function unregisters it. */
export function registerUnsavedWork(source: () => boolean): () => void {
  sources.add(source);
  return () => {
    sources.delete(source);
  };
}

export const hasUnsavedWork = (): boolean => [...sources].some((source) => source());
