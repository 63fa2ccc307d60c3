/**
 * Reads a file of this server in parts, for a slow line: the two ends first, because a PDF tells
 * at its end where everything is; then what is asked for, the latest wish for something small
 * first. No pdf.js in here.
 */

import { ReadAhead } from "./readAhead";

/** A file whose length is known, and of which any part can be had. */
export interface Parts {
  readonly length: number;
  /** The bytes from one position up to another. */
  read(begin: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
}

interface Stretch {
  readonly begin: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

interface Wish {
  readonly begin: number;
  readonly end: number;
}

interface Job extends Wish {
  readonly isLong: boolean;
  readonly settle: (answer: Promise<Stretch>) => void;
}

const HEAD_BYTES = 8_192;
const TAIL_BYTES = 32_768;
/** Two thirds of a second of a slow line: about what pdf.js takes to know what it wants. */
const AHEAD_BYTES = 131_072;
/** Whoever reads on where the last part ended is given ever more at once, up to this. */
const LARGEST_STRIDE = 131_072;
/** As many connections as browsers open to one server. */
const AT_ONCE = 6;
/** Fewer while a long part is under way, which most of the line is for. */
const BESIDE_LONG = 3;
/** Beyond this it is a picture: one at a time, so that the first is soon whole. */
const LONG_BYTES = 32_768;

/**
 * Opens a file. Fails like `fetch`, or with a ResponseException where the server says no. Reads on
 * from the beginning, unasked, once the line is `free`: until then the code that reads PDFs needs it.
 */
export async function openParts(
  address: string,
  signal: AbortSignal,
  free: Promise<void>,
): Promise<Parts> {
  const url = new URL(address, location.origin);
  const beginning = request(url, `bytes=0-${HEAD_BYTES - 1}`, signal);
  // Not before the length is known: a browser complains of parts that there are none of.
  const ahead = Promise.all([beginning, free]).then(([{ length }]) => {
    const end = Math.min(AHEAD_BYTES, length - TAIL_BYTES);
    return end > HEAD_BYTES ? new ReadAhead(url, HEAD_BYTES, end, signal) : undefined;
  });
  ahead.catch(() => undefined);
  const [head, tail] = await Promise.all([beginning, request(url, `bytes=-${TAIL_BYTES}`, signal)]);
  return new QueuedParts(url, signal, tail.length, [head, tail], ahead);
}

class QueuedParts implements Parts {
  readonly #url: URL;
  readonly #signal: AbortSignal;
  /** What is here but may not have been asked for yet. */
  readonly #kept: Stretch[];
  readonly #waiting: Job[] = [];
  /** By where a part ended: how long it was. */
  readonly #strides = new Map<number, number>();
  #running = 0;
  #runningLong = 0;
  #ahead: ReadAhead | undefined;

  constructor(
    url: URL,
    signal: AbortSignal,
    readonly length: number,
    kept: Stretch[],
    ahead: Promise<ReadAhead | undefined>,
  ) {
    this.#url = url;
    this.#signal = signal;
    this.#kept = kept;
    ahead.then((begun) => begun && this.#beside(begun));
  }

  async read(begin: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
    const wanted = { begin, end: Math.min(end, this.length) };
    const stride = Math.min((this.#strides.get(begin) ?? 0) * 2, LARGEST_STRIDE);
    const here = this.#kept.find((stretch) => holds(stretch, wanted));
    this.#strides.set(wanted.end, Math.max(stride, wanted.end - begin));
    if (here) return cut(here, wanted);
    const begun = await this.#beginning(wanted);
    if (begun) return this.#finish(begun, wanted);

    const isReadingOn = stride > wanted.end - begin;
    const until = isReadingOn ? Math.min(begin + stride, this.length) : wanted.end;
    const stretch = await this.#fetch(begin, until);
    if (isReadingOn) this.#kept.push(stretch);
    return cut(stretch, wanted);
  }

  /** Reading ahead takes most of the line, like a long part. */
  async #beside(ahead: ReadAhead): Promise<void> {
    this.#ahead = ahead;
    this.#running += 1;
    this.#runningLong += 1;
    await ahead.done;
    this.#end(true);
  }

  /** What is here of a part that begins where reading ahead began, or further on. */
  async #beginning({ begin, end }: Wish): Promise<Uint8Array<ArrayBuffer> | null> {
    const [head] = this.#kept;
    const headEnd = head && this.#ahead ? head.bytes.length : begin;
    const ahead = await this.#ahead?.read(Math.max(begin, headEnd), end);
    if (!ahead || !head || begin >= headEnd) return ahead ?? null;
    return joined(head.bytes.subarray(begin), ahead);
  }

  async #finish(begun: Uint8Array<ArrayBuffer>, { begin, end }: Wish) {
    const from = begin + begun.length;
    if (from >= end) return begun;
    return joined(begun, cut(await this.#fetch(from, end), { begin: from, end }));
  }

  #fetch(begin: number, end: number): Promise<Stretch> {
    // What is wanted for certain goes before what is only guessed.
    if (end - begin > LONG_BYTES) this.#ahead?.stop();
    return new Promise((settle) => {
      this.#waiting.push({ begin, end, isLong: end - begin > LONG_BYTES, settle });
      // Not before all that is asked for in the same breath is known.
      queueMicrotask(() => this.#next());
    });
  }

  #next(): void {
    if (this.#running >= (this.#runningLong > 0 ? BESIDE_LONG : AT_ONCE)) return;
    const long = this.#runningLong > 0 ? -1 : this.#waiting.findIndex(({ isLong }) => isLong);
    const index = long < 0 ? this.#waiting.findLastIndex(({ isLong }) => !isLong) : long;
    const [job] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (!job) return;
    const isLong = job.isLong ? 1 : 0;
    this.#running += 1;
    this.#runningLong += isLong;
    const answer = request(this.#url, `bytes=${job.begin}-${job.end - 1}`, this.#signal);
    job.settle(answer);
    answer.catch(() => undefined).then(() => this.#end(job.isLong));
  }

  #end(wasLong: boolean): void {
    this.#running -= 1;
    this.#runningLong -= wasLong ? 1 : 0;
    for (let free = 0; free < AT_ONCE; free += 1) this.#next();
  }
}

/** One part, and the length of the whole. Past the browser's cache, which lets in one at a time. */
async function request(
  url: URL,
  range: string,
  signal: AbortSignal,
): Promise<Stretch & { length: number }> {
  const response = await fetch(url, { headers: { Range: range }, cache: "no-store", signal });
  if (!response.ok) {
    const { status } = response;
    throw Object.assign(new Error(`Answer ${status} to a part`), {
      name: "ResponseException",
      status,
    });
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  const [, begin, length] =
    /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get("content-range") ?? "") ?? [];
  // Without that header, it is all of it.
  return { begin: Number(begin ?? 0), bytes, length: Number(length ?? bytes.length) };
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

const holds = ({ begin, bytes }: Stretch, wanted: Wish) =>
  begin <= wanted.begin && wanted.end <= begin + bytes.length;

/** A copy: who gets it may give its buffer to another thread. */
function cut(stretch: Stretch, { begin, end }: Wish) {
  if (!holds(stretch, { begin, end })) throw new TypeError("The connection broke inside a part");
  return stretch.bytes.slice(begin - stretch.begin, end - stretch.begin);
}
