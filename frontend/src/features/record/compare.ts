/** Compares a file with what is on record. */
import { type Bytes, fromBase64, textOf } from "@/verify/bytes";
import { digestOf } from "@/verify/hash";

/** What a file is. */
export type Comparison =
  /** What is on record, byte for byte. */
  | { kind: "same" }
  /** A page that holds what is on record, byte for byte. */
  | { kind: "holds"; content: Bytes }
  /** Something else. */
  | { kind: "other" };

/** The largest file that is read, in bytes. */
export const MAX_FILE = 256 * 1024 * 1024;

/** In pages that readers download: `carrier` in crates/domain/src/content/embedding.rs. */
const CARRIER = /<!-- ideavault-content ([A-Za-z0-9+/]*={0,2}) -->/g;

/** Compares a file with the SHA-256 on record. */
export async function compare(file: Bytes, sha256: string): Promise<Comparison> {
  if ((await digestOf(file)) === sha256) return { kind: "same" };
  for (const [, carried = ""] of (textOf(file) ?? "").matchAll(CARRIER)) {
    const content = fromBase64(carried);
    if (content && (await digestOf(content)) === sha256) return { kind: "holds", content };
  }
  return { kind: "other" };
}
