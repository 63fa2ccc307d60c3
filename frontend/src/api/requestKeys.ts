/**
 * Keys of requests that may have to be sent again, because no answer says whether they arrived
 * (Idempotency-Key).
 */
import { type ApiError, mayHaveArrived } from "./http";

/**
 * Returns 128 random bits, which nobody can guess. Without https, browsers offer no
 * crypto.randomUUID.
 */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

/** Gives a key to each request, and the same one to a request that is sent again. */
export function requestKeys() {
  let open: { request: string; key: string } | null = null;
  return {
    /** Returns the key of a request that says this. */
    of(...request: unknown[]): string {
      const text = JSON.stringify(request);
      if (open?.request !== text) open = { request: text, key: randomKey() };
      return open.key;
    },
    /** Ends the request, unless nobody knows whether it arrived. */
    settle(error: ApiError | undefined): void {
      if (!mayHaveArrived(error)) open = null;
    },
  };
}
