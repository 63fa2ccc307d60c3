/** Proofs of a Merkle tree (RFC 9162 section 2.1). */
import { type Bytes, concat, sameBytes } from "./bytes";
import { sha256 } from "./hash";

/** The largest size of a tree. */
export const MAX_SIZE = 2 ** 53 - 1;

/** The most hashes in a proof. */
export const MAX_PROOF_HASHES = 54;

const LEAF = new Uint8Array([0]);
const NODE = new Uint8Array([1]);

/** Returns the hash of the leaf for an event's SHA-256. */
export const leafHash = (event: Uint8Array): Bytes => sha256(concat(LEAF, event));

/** Returns the hash of an inner node. */
export const nodeHash = (left: Uint8Array, right: Uint8Array): Bytes =>
  sha256(concat(NODE, left, right));

/** The root of a tree without leaves: the SHA-256 of nothing. */
const emptyRoot = () => sha256(new Uint8Array());

const isOdd = (number: number) => number % 2 === 1;
const half = (number: number) => Math.floor(number / 2);

/** A number of leaves and the root over them. */
export interface Head {
  readonly size: number;
  readonly root: Bytes;
}

/** Whether a tree has a leaf at a place (section 2.1.3.2). */
export function isIncluded(
  event: Uint8Array,
  place: number,
  { size, root }: Head,
  proof: readonly Bytes[],
): boolean {
  if (place >= size || size > MAX_SIZE || proof.length > MAX_PROOF_HASHES) return false;
  let node = place;
  let last = size - 1;
  let hash = leafHash(event);
  for (const sibling of proof) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      hash = nodeHash(sibling, hash);
      while (!isOdd(node) && node !== 0) {
        node = half(node);
        last = half(last);
      }
    } else {
      hash = nodeHash(hash, sibling);
    }
    node = half(node);
    last = half(last);
  }
  return last === 0 && sameBytes(hash, root);
}

/** Whether a tree begins with all leaves of an older one (section 2.1.4.2). */
export function isExtension(older: Head, newer: Head, proof: readonly Bytes[]): boolean {
  if (older.size > newer.size || newer.size > MAX_SIZE || proof.length > MAX_PROOF_HASHES) {
    return false;
  }
  const same = sameBytes(older.root, newer.root);
  if (older.size === newer.size) return proof.length === 0 && same;
  if (older.size === 0) return proof.length === 0 && sameBytes(older.root, emptyRoot());
  let node = older.size - 1;
  let last = newer.size - 1;
  while (isOdd(node)) {
    node = half(node);
    last = half(last);
  }
  // The old tree is complete, so that its own root begins the proof.
  const [start, ...rest] = node === 0 ? [older.root, ...proof] : proof;
  if (!start) return false;
  let oldHash = start;
  let newHash = start;
  for (const sibling of rest) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      oldHash = nodeHash(sibling, oldHash);
      newHash = nodeHash(sibling, newHash);
      while (!isOdd(node) && node !== 0) {
        node = half(node);
        last = half(last);
      }
    } else {
      newHash = nodeHash(newHash, sibling);
    }
    node = half(node);
    last = half(last);
  }
  return last === 0 && sameBytes(oldHash, older.root) && sameBytes(newHash, newer.root);
}
