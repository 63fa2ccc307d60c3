/** The files of a bundle, wherever they are. */
import type { Bytes } from "./bytes";
import { INDEX } from "./layout";

/** Files by their paths. */
export interface BundleFiles {
  /** Paths of all files, in order. */
  readonly paths: string[];
  has(path: string): boolean;
  /** Returns a file; fails with a `ZipError` if it is missing or damaged. */
  read(path: string): Promise<Bytes>;
}

/** What macOS and Windows add to folders and zip files by themselves. */
const ADDED = /(^|\/)(__MACOSX\/|\._|(\.DS_Store|Thumbs\.db|desktop\.ini)$)/;

/**
 * Returns the files of a bundle that was zipped or unpacked by somebody: without the folders around
 * all of them, and without what systems add.
 */
export function unwrapped(files: BundleFiles): BundleFiles {
  const places = new Map(
    files.paths.filter((path) => !ADDED.test(path)).map((path) => [path, path]),
  );
  while (!places.has(INDEX)) {
    const paths = [...places];
    const folder = /^[^/]+\//.exec(paths[0]?.[0] ?? "")?.[0];
    if (!folder || !paths.every(([path]) => path.startsWith(folder))) break;
    places.clear();
    for (const [path, place] of paths) places.set(path.slice(folder.length), place);
  }
  return {
    paths: [...places.keys()],
    has: (path) => places.has(path),
    read: (path) => files.read(places.get(path) ?? path),
  };
}
