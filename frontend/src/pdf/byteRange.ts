/** Ranges of a file, and the request for one. */

/** Bytes of a file from a position on. */
export interface Chunk {
  readonly begin: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The bytes from `begin` up to, not including, `end`. */
export interface RangeRequest {
  readonly begin: number;
  readonly end: number;
}

/**
 * Requests one range, or takes the answer if public/early.js did so before. Bypasses the browser's
 * cache, which would serialise the requests.
 */
export const fetchRange = (url: URL, range: string, init: RequestInit): Promise<Response> =>
  window.takeEarlyAnswer?.(url.pathname, range) ??
  fetch(url, { ...init, headers: { Range: range }, cache: "no-store" });

/** Fetches one range and the length of the file. Calls `onBytes` whenever some arrive. */
export async function request(
  url: URL,
  range: string,
  signal: AbortSignal,
  onBytes: () => void,
): Promise<Chunk & { length: number }> {
  const response = await fetchRange(url, range, { signal });
  if (!response.ok) {
    const { status } = response;
    throw Object.assign(new Error(`Range request failed with status ${status}`), {
      name: "ResponseException",
      status,
    });
  }
  const bytes = await readAll(response, onBytes);
  const [, begin, length] =
    /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get("content-range") ?? "") ?? [];
  // Without that header, the response is the whole file.
  return { begin: Number(begin ?? 0), bytes, length: Number(length ?? bytes.length) };
}

async function readAll(response: Response, onBytes: () => void): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    parts.push(part.value);
    onBytes();
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Joins two byte arrays. */
export function concat(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** Whether a chunk has all bytes of a range. */
export const contains = ({ begin, bytes }: Chunk, wanted: RangeRequest) =>
  begin <= wanted.begin && wanted.end <= begin + bytes.length;

/** Copies the bytes, since the receiver may transfer the buffer to a worker. */
export function slice(chunk: Chunk, { begin, end }: RangeRequest) {
  if (!contains(chunk, { begin, end })) throw new TypeError("The connection broke within a range");
  return chunk.bytes.slice(begin - chunk.begin, end - chunk.begin);
}
