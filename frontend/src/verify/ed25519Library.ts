import { hashes, verify as verifyHere } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import type { Bytes } from "./bytes";

hashes.sha512 = sha512;

/** Verifies strictly by RFC 8032; a key that is no point of the curve has signed nothing. */
export function verify(signature: Bytes, message: Bytes, key: Bytes): boolean {
  try {
    return verifyHere(signature, message, key, { zip215: false });
  } catch {
    return false;
  }
}
