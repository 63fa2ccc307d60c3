import { deflateRawSync } from "node:zlib";
import { type Bytes, bytesOf, concat } from "../bytes";
import { crc32 } from "../crc32";

/** Headers of one file in a zip, each part of which a test may falsify. */
export interface ZipEntry {
  path: string;
  contents: Uint8Array;
  deflated?: boolean;
  /** In the list and in the file's own header. */
  method?: number;
  flags?: number;
  attributes?: number;
  length?: number;
  crc?: number;
  /** In the file's own header only. */
  localPath?: string;
  localLength?: number;
  /** Place that the list gives. */
  offset?: number;
  /** Bytes behind the contents. */
  behind?: Uint8Array;
}

interface Whole {
  /** Bytes before the first file. */
  before?: Uint8Array;
  comment?: string;
  /** Number of files that the end claims. */
  count?: number;
}

/** Writes a zip file, true or not. */
export function makeZip(entries: readonly ZipEntry[], whole: Whole = {}): Bytes {
  const parts: Uint8Array[] = [whole.before ?? new Uint8Array()];
  const directory: Uint8Array[] = [];
  let place = parts[0]?.length ?? 0;
  for (const entry of entries) {
    const raw = entry.deflated ? deflateRawSync(entry.contents) : entry.contents;
    const method = entry.method ?? (entry.deflated ? 8 : 0);
    const length = entry.length ?? entry.contents.length;
    const crc = entry.crc ?? crc32(entry.contents);
    const common = (path: Uint8Array, length: number) => [
      u16(20, entry.flags ?? 0, method, 0, 0x21),
      u32(crc, raw.length, length),
      u16(path.length, 0),
    ];
    const path = bytesOf(entry.path);
    const localPath = bytesOf(entry.localPath ?? entry.path);
    directory.push(u32(0x02014b50), u16(20), ...common(path, length), u16(0, 0, 0));
    directory.push(u32(entry.attributes ?? 0, entry.offset ?? place), path);
    const local = [
      u32(0x04034b50),
      ...common(localPath, entry.localLength ?? length),
      localPath,
      raw,
    ];
    const written = concat(...local, entry.behind ?? new Uint8Array());
    parts.push(written);
    place += written.length;
  }
  const list = concat(...directory);
  const count = whole.count ?? entries.length;
  const comment = bytesOf(whole.comment ?? "");
  const end = [u32(0x06054b50), u16(0, 0, count, count), u32(list.length, place)];
  return concat(...parts, list, ...end, u16(comment.length), comment);
}

function u16(...numbers: number[]): Uint8Array {
  return concat(...numbers.map((number) => Uint8Array.of(number & 0xff, number >>> 8)));
}

function u32(...numbers: number[]): Uint8Array {
  return concat(
    ...numbers.map((number) =>
      Uint8Array.of(number & 0xff, (number >>> 8) & 0xff, (number >>> 16) & 0xff, number >>> 24),
    ),
  );
}
