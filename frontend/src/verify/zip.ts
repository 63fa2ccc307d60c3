/**
 * Reads zip files that anybody may have made. A file is read only as a whole that every reader of
 * zip files understands in the same way: each entry is a folder or a file with a safe relative path
 * that occurs once, in any spelling of upper and lower case, and lies where nothing else lies.
 */
import { type Bytes, sameBytes, textOf } from "./bytes";
import { crc32 } from "./crc32";
import { messages } from "./messages";

/** How large a zip file may be. */
export interface Limits {
  /** Number of files. */
  readonly maxEntries: number;
  /** Bytes of all files together. */
  readonly maxTotal: number;
}

/** Bytes that a browser can hold in memory. */
export const DEFAULT_LIMITS: Limits = { maxEntries: 100_000, maxTotal: 512 * 1024 * 1024 };

/** Most bytes of an entry for each compressed one, unless the entry is short. */
const MAX_RATIO = 200;

/** The longest entry whose compression ratio does not matter. */
const RATIO_EXEMPT_BYTES = 1024 * 1024;

/** The longest path. */
const MAX_PATH_BYTES = 240;

/** The longest data descriptor: the record of sizes behind the contents of an entry. */
const MAX_DATA_DESCRIPTOR_BYTES = 24;

/** The longest expanded file that is kept for the next read. */
const MAX_CACHED_BYTES = 64 * 1024;

/** Signatures of records (PKWARE's APPNOTE, 4.3), and the lengths of their fixed parts in bytes. */
const END_RECORD = { signature: 0x06054b50, length: 22 };
const ZIP64_END_RECORD = { signature: 0x06064b50, length: 56 };
const ZIP64_END_LOCATOR = { signature: 0x07064b50, length: 20 };
const DIRECTORY_HEADER = { signature: 0x02014b50, length: 46 };
const LOCAL_HEADER = { signature: 0x04034b50, length: 30 };

const METHOD_STORED = 0;
const METHOD_DEFLATED = 8;

/** Bits of an entry's flags: encrypted, strongly encrypted, headers masked. */
const ENCRYPTED_FLAGS = 0x2041;

/** Bit of an entry's flags: the sizes follow the contents. */
const DATA_DESCRIPTOR_FLAG = 0x8;

interface Entry {
  readonly path: string;
  readonly rawPath: Uint8Array;
  readonly method: number;
  readonly crc: number;
  readonly length: number;
  readonly compressed: number;
  readonly offset: number;
}

/** Refused a zip file or one of its files. */
export class ZipError extends Error {
  override readonly name = "ZipError";

  constructor(
    message: string,
    /** Path of the file at fault, if one is. */
    readonly path: string | null = null,
  ) {
    super(message);
  }
}

/** A zip file whose list of files is checked. */
export class ZipFile {
  readonly #bytes: Bytes;
  readonly #entries = new Map<string, Entry & { readonly start: number }>();
  readonly #cache = new Map<string, Bytes>();

  /** Checks the list of files without expanding them; fails with a `ZipError`. */
  constructor(bytes: Bytes, limits: Limits = DEFAULT_LIMITS) {
    this.#bytes = bytes;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const directory = findDirectory(view);
    const entries = listEntries(bytes, view, directory, limits);
    for (const entry of checkPlaces(bytes, view, entries, directory.offset)) {
      if (!entry.path.endsWith("/")) this.#entries.set(entry.path, entry);
    }
  }

  /** Paths of all files, in order. */
  get paths(): string[] {
    return [...this.#entries.keys()].sort(byText);
  }

  has(path: string): boolean {
    return this.#entries.has(path);
  }

  /** Returns a file; fails with a `ZipError` if it is missing or damaged. */
  async read(path: string): Promise<Bytes> {
    const cached = this.#cache.get(path);
    if (cached) return cached;
    const entry = this.#entries.get(path);
    if (!entry) throw new ZipError(messages.zip.missing, path);
    const raw = this.#bytes.slice(entry.start, entry.start + entry.compressed);
    const contents = entry.method === METHOD_STORED ? raw : await inflate(raw, entry);
    if (contents.length !== entry.length || crc32(contents) !== entry.crc) {
      throw new ZipError(messages.zip.damaged, path);
    }
    if (contents.length <= MAX_CACHED_BYTES) this.#cache.set(path, contents);
    return contents;
  }
}

/** Expands an entry, and stops where it turns out longer than it says. */
async function inflate(raw: Bytes, { path, length }: Entry): Promise<Bytes> {
  const contents = new Uint8Array(length);
  const source = new ReadableStream<Bytes>({
    start(controller) {
      controller.enqueue(raw);
      controller.close();
    },
  });
  const reader = source.pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  let place = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (place + next.value.length > length) throw new RangeError();
      contents.set(next.value, place);
      place += next.value.length;
    }
  } catch {
    reader.cancel().catch(() => undefined);
    throw new ZipError(messages.zip.damaged, path);
  }
  if (place !== length) throw new ZipError(messages.zip.damaged, path);
  return contents;
}

interface Directory {
  readonly offset: number;
  readonly end: number;
  readonly count: number;
}

/** Finds the list of entries. Without a comment there is only one place to look. */
function findDirectory(view: DataView): Directory {
  const end = view.byteLength - END_RECORD.length;
  if (end < 0) throw new ZipError(messages.zip.foreign);
  if (view.getUint32(end, true) !== END_RECORD.signature) {
    const begins = view.getUint32(0, true);
    const isZip = begins === LOCAL_HEADER.signature || begins === END_RECORD.signature;
    throw new ZipError(isZip ? messages.zip.incomplete : messages.zip.foreign);
  }
  const isSplit = view.getUint16(end + 4, true) !== 0 || view.getUint16(end + 6, true) !== 0;
  if (view.getUint16(end + 20, true) !== 0 || isSplit) throw new ZipError(messages.zip.hidden);
  const count = view.getUint16(end + 10, true);
  const size = view.getUint32(end + 12, true);
  const offset = view.getUint32(end + 16, true);
  const locator = end - ZIP64_END_LOCATOR.length;
  if (locator >= 0 && view.getUint32(locator, true) === ZIP64_END_LOCATOR.signature) {
    return findDirectory64(view, locator);
  }
  if (offset + size !== end) throw new ZipError(messages.zip.hidden);
  return { offset, end, count };
}

function findDirectory64(view: DataView, locator: number): Directory {
  const end = locator - ZIP64_END_RECORD.length;
  const found = Number(view.getBigUint64(locator + 8, true));
  if (end < 0 || found !== end || view.getUint32(end, true) !== ZIP64_END_RECORD.signature) {
    throw new ZipError(messages.zip.hidden);
  }
  const count = Number(view.getBigUint64(end + 32, true));
  const size = Number(view.getBigUint64(end + 40, true));
  const offset = Number(view.getBigUint64(end + 48, true));
  if (offset + size !== end) throw new ZipError(messages.zip.hidden);
  return { offset, end, count };
}

function listEntries(
  bytes: Bytes,
  view: DataView,
  { offset, end, count }: Directory,
  { maxEntries, maxTotal }: Limits,
): Entry[] {
  if (count > maxEntries) throw new ZipError(messages.zip.tooMany(maxEntries));
  const taken = new Map<string, "file" | "folder">();
  const entries: Entry[] = [];
  let total = 0;
  let place = offset;
  while (place < end) {
    if (entries.length === count) throw new ZipError(messages.zip.hidden);
    if (
      place + DIRECTORY_HEADER.length > end ||
      view.getUint32(place, true) !== DIRECTORY_HEADER.signature
    ) {
      throw new ZipError(messages.zip.incomplete);
    }
    const pathEnd = place + DIRECTORY_HEADER.length + view.getUint16(place + 28, true);
    const next = pathEnd + view.getUint16(place + 30, true) + view.getUint16(place + 32, true);
    if (next > end) throw new ZipError(messages.zip.incomplete);
    const entry = readEntry(view, place, bytes.subarray(place + DIRECTORY_HEADER.length, pathEnd));
    takePath(taken, entry.path);
    total += entry.length;
    if (total > maxTotal) throw new ZipError(messages.zip.tooLarge(maxTotal), entry.path);
    entries.push(entry);
    place = next;
  }
  if (entries.length !== count) throw new ZipError(messages.zip.hidden);
  return entries;
}

function readEntry(view: DataView, place: number, rawPath: Uint8Array): Entry {
  const path = new TextDecoder().decode(rawPath);
  const refuse = (problem: string): never => {
    throw new ZipError(problem, path);
  };
  if (textOf(rawPath) === null || rawPath.length > MAX_PATH_BYTES) refuse(messages.zip.path);
  if ((view.getUint16(place + 8, true) & ENCRYPTED_FLAGS) !== 0) refuse(messages.zip.encrypted);
  const method = view.getUint16(place + 10, true);
  const compressed = view.getUint32(place + 20, true);
  const length = view.getUint32(place + 24, true);
  const isFolder = path.endsWith("/");
  // Type bits of Unix: none, or those of a regular file or a folder.
  const kind = view.getUint32(place + 38, true) >>> 28;
  const isKnown = kind === 0 || kind === (isFolder ? 0o4 : 0o10);
  if (!isKnown || (isFolder && length + compressed > 0)) refuse(messages.zip.notAFile);
  if (!isSafePath(isFolder ? path.slice(0, -1) : path)) refuse(messages.zip.path);
  if (method === METHOD_STORED && length !== compressed) refuse(messages.zip.headers);
  if (method !== METHOD_STORED && method !== METHOD_DEFLATED) refuse(messages.zip.method);
  if (length > RATIO_EXEMPT_BYTES && length > compressed * MAX_RATIO) refuse(messages.zip.ratio);
  return {
    path,
    rawPath,
    method,
    crc: view.getUint32(place + 16, true),
    length,
    compressed,
    offset: view.getUint32(place + 42, true),
  };
}

/** Whether a path is relative, leads nowhere else, and names the same file on every system. */
const isSafePath = (path: string): boolean =>
  path
    .split("/")
    .every(
      (part) => part !== "" && !/^ |[. ]$/.test(part) && !/[\p{Control}\\:*?"<>|]/u.test(part),
    );

/** Adds a path; fails where it or one of its folders hides another one. */
function takePath(taken: Map<string, "file" | "folder">, path: string): void {
  const folded = path.toLowerCase();
  for (let end = folded.indexOf("/"); end >= 0; end = folded.indexOf("/", end + 1)) {
    const folder = folded.slice(0, end);
    if (taken.get(folder) === "file") throw new ZipError(messages.zip.duplicate, path);
    taken.set(folder, "folder");
  }
  // A folder has taken itself above, as those of files below it have.
  if (folded.endsWith("/")) return;
  if (taken.has(folded)) throw new ZipError(messages.zip.duplicate, path);
  taken.set(folded, "file");
}

/**
 * Checks that each entry says of itself what the list says, and that entries follow each other from
 * the first byte without overlap.
 */
function checkPlaces(bytes: Bytes, view: DataView, entries: Entry[], directory: number) {
  let free = 0;
  const placed = entries
    .toSorted((one, other) => one.offset - other.offset)
    .map((entry) => {
      const { path, rawPath, method, length, compressed, offset } = entry;
      const nameStart = offset + LOCAL_HEADER.length;
      if (nameStart > directory || view.getUint32(offset, true) !== LOCAL_HEADER.signature) {
        throw new ZipError(messages.zip.damaged, path);
      }
      const nameEnd = nameStart + view.getUint16(offset + 26, true);
      const start = nameEnd + view.getUint16(offset + 28, true);
      if (start + compressed > directory) throw new ZipError(messages.zip.damaged, path);
      const flags = view.getUint16(offset + 6, true);
      // With a record of sizes behind the contents, the entry itself names none.
      const hasSizes =
        (flags & DATA_DESCRIPTOR_FLAG) !== 0 ||
        (view.getUint32(offset + 18, true) === compressed &&
          view.getUint32(offset + 22, true) === length);
      if (
        view.getUint16(offset + 8, true) !== method ||
        !hasSizes ||
        !sameBytes(bytes.subarray(nameStart, nameEnd), rawPath)
      ) {
        throw new ZipError(messages.zip.headers, path);
      }
      if ((flags & ENCRYPTED_FLAGS) !== 0) {
        throw new ZipError(messages.zip.encrypted, path);
      }
      if (offset < free) throw new ZipError(messages.zip.overlap, path);
      checkGap(free, offset);
      free = start + compressed;
      return { ...entry, start };
    });
  checkGap(free, directory);
  return placed;
}

/** Checks that nothing but the sizes of an entry lies behind it. */
function checkGap(end: number, next: number): void {
  const longest = end === 0 ? 0 : MAX_DATA_DESCRIPTOR_BYTES;
  if (next - end > longest) throw new ZipError(messages.zip.hidden);
}

const byText = (one: string, other: string) => (one < other ? -1 : 1);
