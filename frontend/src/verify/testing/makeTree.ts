/** The tree by its definition in RFC 9162, which the verification does not use. */
import { createHash } from "node:crypto";
import type { Bytes } from "../bytes";

const sha256 = (...parts: Uint8Array[]): Bytes => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
};

/** The largest power of two below a number above 1. */
const split = (size: number) => 2 ** Math.ceil(Math.log2(size) - 1);

/** Section 2.1.1. */
export function rootOf(leaves: readonly Uint8Array[]): Bytes {
  const [leaf] = leaves;
  if (!leaf) return sha256();
  if (leaves.length === 1) return sha256(Uint8Array.of(0), leaf);
  const k = split(leaves.length);
  return sha256(Uint8Array.of(1), rootOf(leaves.slice(0, k)), rootOf(leaves.slice(k)));
}

/** Section 2.1.3.1. */
export function inclusionProof(place: number, leaves: readonly Uint8Array[]): Bytes[] {
  if (leaves.length === 1) return [];
  const k = split(leaves.length);
  return place < k
    ? [...inclusionProof(place, leaves.slice(0, k)), rootOf(leaves.slice(k))]
    : [...inclusionProof(place - k, leaves.slice(k)), rootOf(leaves.slice(0, k))];
}

/** Section 2.1.4.1. */
export function consistencyProof(
  old: number,
  leaves: readonly Uint8Array[],
  isComplete = true,
): Bytes[] {
  if (old === leaves.length) return isComplete ? [] : [rootOf(leaves)];
  const k = split(leaves.length);
  return old <= k
    ? [...consistencyProof(old, leaves.slice(0, k), isComplete), rootOf(leaves.slice(k))]
    : [...consistencyProof(old - k, leaves.slice(k), false), rootOf(leaves.slice(0, k))];
}
