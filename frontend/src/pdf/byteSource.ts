/**
 * Reads a file of this server by range requests, tuned for slow connections: head and tail first,
 * because a PDF has its index at the end; then what is requested, the latest small request first.
 * Does not import pdf.js.
 */

import { type Chunk, concat, contains, type RangeRequest, request, slice } from "./byteRange";
import { ReadAhead } from "./readAhead";

/** A file of known length that can be read by range. */
export interface ByteSource {
  readonly length: number;
  /** Reads the bytes from `begin` up to, not including, `end`. */
  read(begin: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
}

interface Job extends RangeRequest {
  readonly isLong: boolean;
  readonly resolve: (answer: Promise<Chunk>) => void;
}

const HEAD_BYTES = 8_192;
/** Enough for the index of a file with 800 objects. */
const TAIL_BYTES = 16_384;
/**
 * Bytes to read ahead: two thirds of a second on a slow connection, about what pdf.js takes until
 * its first request.
 */
const AHEAD_BYTES = 131_072;
/** Largest range of a sequential read; ranges double up to this size. */
const MAX_STRIDE = 131_072;
/** Most parallel requests: as many connections as browsers open to one server. */
const MAX_PARALLEL = 6;
/** Most parallel requests beside a long one, which takes most of the bandwidth. */
const MAX_BESIDE_LONG = 3;
/** A longer range is an image: one at a time, so that the first is complete soon. */
const LONG_BYTES = 32_768;

/**
 * Opens a file. Rejects like `fetch`, or with a ResponseException when the server refuses. Reads
 * ahead from the beginning once `free` resolves: until then the bandwidth is needed for the code of
 * pdf.js. Calls `onBytes` whenever bytes arrive.
 */
export async function openByteSource(
  address: string,
  signal: AbortSignal,
  free: Promise<void>,
  onBytes: () => void,
): Promise<ByteSource> {
  const url = new URL(address, location.origin);
  const beginning = request(url, `bytes=0-${HEAD_BYTES - 1}`, signal, onBytes);
  // Not before the length is known: browsers log an error for a range that does not exist.
  const ahead = Promise.all([beginning, free]).then(([{ length }]) => {
    const end = Math.min(AHEAD_BYTES, length - TAIL_BYTES);
    return end > HEAD_BYTES ? new ReadAhead(url, HEAD_BYTES, end, signal, onBytes) : undefined;
  });
  ahead.catch(() => undefined);
  const end = request(url, `bytes=-${TAIL_BYTES}`, signal, onBytes);
  const [head, tail] = await Promise.all([beginning, end]);
  return new QueuedByteSource(url, signal, onBytes, tail.length, [head, tail], ahead);
}

class QueuedByteSource implements ByteSource {
  readonly #url: URL;
  readonly #signal: AbortSignal;
  readonly #onBytes: () => void;
  /** Chunks that were fetched but possibly not requested yet. */
  readonly #chunks: Chunk[];
  readonly #waiting: Job[] = [];
  /** Length of the last read, by its end position; detects sequential reads. */
  readonly #strides = new Map<number, number>();
  #running = 0;
  #runningLong = 0;
  #ahead: ReadAhead | undefined;

  constructor(
    url: URL,
    signal: AbortSignal,
    onBytes: () => void,
    readonly length: number,
    chunks: Chunk[],
    ahead: Promise<ReadAhead | undefined>,
  ) {
    this.#url = url;
    this.#signal = signal;
    this.#onBytes = onBytes;
    this.#chunks = chunks;
    ahead.then((begun) => begun && this.#registerReadAhead(begun));
  }

  async read(begin: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
    const wanted = { begin, end: Math.min(end, this.length) };
    const stride = Math.min((this.#strides.get(begin) ?? 0) * 2, MAX_STRIDE);
    const here = this.#chunks.find((chunk) => contains(chunk, wanted));
    this.#strides.set(wanted.end, Math.max(stride, wanted.end - begin));
    if (here) return slice(here, wanted);
    const begun = await this.#alreadyRead(wanted);
    if (begun) return this.#finish(begun, wanted);

    const isReadingOn = stride > wanted.end - begin;
    const until = isReadingOn ? Math.min(begin + stride, this.length) : wanted.end;
    const chunk = await this.#fetch(begin, until);
    if (isReadingOn) this.#chunks.push(chunk);
    return slice(chunk, wanted);
  }

  /** Counts reading ahead as a long request, since it takes most of the bandwidth. */
  async #registerReadAhead(ahead: ReadAhead): Promise<void> {
    this.#ahead = ahead;
    this.#running += 1;
    this.#runningLong += 1;
    await ahead.done;
    this.#end(true);
  }

  /** Returns the bytes already read ahead from the beginning of a range, if any. */
  async #alreadyRead({ begin, end }: RangeRequest): Promise<Uint8Array<ArrayBuffer> | null> {
    const [head] = this.#chunks;
    const headEnd = head && this.#ahead ? head.bytes.length : begin;
    const ahead = await this.#ahead?.read(Math.max(begin, headEnd), end);
    if (!ahead || !head || begin >= headEnd) return ahead ?? null;
    return concat(head.bytes.subarray(begin), ahead);
  }

  async #finish(begun: Uint8Array<ArrayBuffer>, { begin, end }: RangeRequest) {
    const from = begin + begun.length;
    if (from >= end) return begun;
    return concat(begun, slice(await this.#fetch(from, end), { begin: from, end }));
  }

  #fetch(begin: number, end: number): Promise<Chunk> {
    // Actual requests have priority over reading ahead.
    if (end - begin > LONG_BYTES) this.#ahead?.stop();
    return new Promise((resolve) => {
      this.#waiting.push({ begin, end, isLong: end - begin > LONG_BYTES, resolve });
      // Deferred until all requests of the same task are known.
      queueMicrotask(() => this.#next());
    });
  }

  #next(): void {
    if (this.#running >= (this.#runningLong > 0 ? MAX_BESIDE_LONG : MAX_PARALLEL)) return;
    const long = this.#runningLong > 0 ? -1 : this.#waiting.findIndex(({ isLong }) => isLong);
    const index = long < 0 ? this.#waiting.findLastIndex(({ isLong }) => !isLong) : long;
    const [job] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (!job) return;
    const isLong = job.isLong ? 1 : 0;
    this.#running += 1;
    this.#runningLong += isLong;
    const range = `bytes=${job.begin}-${job.end - 1}`;
    const answer = request(this.#url, range, this.#signal, this.#onBytes);
    job.resolve(answer);
    answer.catch(() => undefined).then(() => this.#end(job.isLong));
  }

  #end(wasLong: boolean): void {
    this.#running -= 1;
    this.#runningLong -= wasLong ? 1 : 0;
    for (let free = 0; free < MAX_PARALLEL; free += 1) this.#next();
  }
}
