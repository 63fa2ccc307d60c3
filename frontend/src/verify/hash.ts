import { sha256 as hashHere } from "@noble/hashes/sha2.js";
import { type Bytes, toHex } from "./bytes";

/**
 * Length above which the browser's own SHA-256 is worth a promise, in bytes. Proofs need many
 * hashes of a few bytes each, for which it is much slower.
 */
const LONG = 64 * 1024;

/** Returns the SHA-256 of a short text. */
export const sha256 = (bytes: Uint8Array): Bytes => hashHere(bytes) as Bytes;

/**
 * Returns the SHA-256 of bytes of any length, in hexadecimal digits. Browsers have a SHA-256 of
 * their own only on pages from https and from the machine itself.
 */
export async function digestOf(bytes: Bytes): Promise<string> {
  const subtle = bytes.length > LONG ? globalThis.crypto?.subtle : undefined;
  if (!subtle) return toHex(sha256(bytes));
  return toHex(new Uint8Array(await subtle.digest("SHA-256", bytes)));
}
