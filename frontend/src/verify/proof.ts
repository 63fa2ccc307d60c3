/** Proofs that a log holds an event: https://c2sp.org/tlog-proof. */
import { type Bytes, bytesOf, fromBase64, textOf } from "./bytes";
import { type Checkpoint, parseCheckpoint, parseNumber } from "./checkpoint";
import { MAX_PROOF_HASHES } from "./merkle";

const HEADER = "c2sp.org/tlog-proof@v1";
const MAX_LENGTH = 256 * 1024;

/** A proof, with the checkpoint that it leads to. */
export interface TlogProof {
  readonly index: number;
  /** From the leaf's sibling up to a child of the root. */
  readonly hashes: readonly Bytes[];
  readonly checkpoint: Checkpoint;
}

/** Parses a proof; null if the bytes are anything else or spelled otherwise. */
export function parseProof(bytes: Uint8Array): TlogProof | null {
  const text = bytes.length > MAX_LENGTH ? null : textOf(bytes);
  const end = text?.indexOf("\n\n") ?? -1;
  if (text === null || end < 0) return null;
  const [header, place = "", ...lines] = text.slice(0, end).split("\n");
  const index = place.startsWith("index ") ? parseNumber(place.slice(6)) : null;
  const hashes = parseLines(lines);
  const checkpoint = parseCheckpoint(bytesOf(text.slice(end + 2)));
  if (header !== HEADER || index === null || !hashes || !checkpoint) return null;
  return { index, hashes, checkpoint };
}

/** Parses hashes, one a line; null if the bytes are anything else. */
export function parseHashes(bytes: Uint8Array): Bytes[] | null {
  const text = bytes.length > MAX_LENGTH ? null : textOf(bytes);
  if (text === "") return [];
  return text?.endsWith("\n") ? parseLines(text.slice(0, -1).split("\n")) : null;
}

function parseLines(lines: readonly string[]): Bytes[] | null {
  if (lines.length > MAX_PROOF_HASHES) return null;
  const hashes = lines.map(fromBase64);
  return hashes.every((hash) => hash?.length === 32) ? (hashes as Bytes[]) : null;
}
