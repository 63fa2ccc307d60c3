import type { Bytes } from "./bytes";
import type { BundleFiles } from "./files";
import { messages } from "./messages";
import { DEFAULT_LIMITS, type Limits, ZipError } from "./zip";

/** A folder that was chosen, or what was dropped. */
export type Folder = readonly File[] | readonly FileSystemEntry[];

/** Lists the files of a folder; fails with a `ZipError` if they are too many or too large. */
export async function openFolder(
  folder: Folder,
  { maxEntries, maxTotal }: Limits = DEFAULT_LIMITS,
): Promise<BundleFiles> {
  const files = new Map<string, File>();
  let total = 0;
  const add = (path: string, file: File) => {
    files.set(path, file);
    total += file.size;
    if (files.size > maxEntries) throw new ZipError(messages.zip.tooMany(maxEntries));
    if (total > maxTotal) throw new ZipError(messages.zip.tooLarge(maxTotal));
  };
  for (const one of folder) {
    if (one instanceof File) add(one.webkitRelativePath || one.name, one);
    else await walk(one, add);
  }
  return {
    paths: [...files.keys()].sort(),
    has: (path) => files.has(path),
    read: async (path): Promise<Bytes> => {
      const file = files.get(path);
      if (!file) throw new ZipError(messages.zip.missing, path);
      try {
        return new Uint8Array(await file.arrayBuffer());
      } catch {
        throw new ZipError(messages.zip.unreadable, path);
      }
    },
  };
}

async function walk(entry: FileSystemEntry, add: (path: string, file: File) => void) {
  try {
    if (isFile(entry)) {
      add(entry.fullPath.slice(1), await new Promise((done, failed) => entry.file(done, failed)));
    } else if (isFolder(entry)) {
      const reader = entry.createReader();
      const next = () =>
        new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
      // Each call gives some of them, the last one none.
      for (let some = await next(); some.length > 0; some = await next()) {
        for (const inner of some) await walk(inner, add);
      }
    }
  } catch (error) {
    if (error instanceof ZipError) throw error;
    throw new ZipError(messages.zip.unreadable, entry.fullPath.slice(1));
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
