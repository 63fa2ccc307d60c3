/**
 * Signed tree heads: https://c2sp.org/tlog-checkpoint over https://c2sp.org/signed-note, with
 * Ed25519. Bytes that parse are the bytes that would be written.
 */
import {
  type Bytes,
  bytesOf,
  concat,
  fromBase64,
  sameBytes,
  textOf,
  toBase64,
  toHex,
} from "./bytes";
import { isSignedBy, SPKI_PREFIX } from "./ed25519";
import { sha256 } from "./hash";
import { type Head, MAX_SIZE } from "./merkle";

/** The longest checkpoint, in bytes. */
const MAX_LENGTH = 128 * 1024;

const ED25519 = 1;

/** A tree head with signatures, which are not verified by parsing. */
export interface Checkpoint extends Head {
  /** Name of the log. */
  readonly origin: string;
  /** The text that is signed. */
  readonly body: string;
  readonly bytes: Uint8Array;
  readonly signatures: readonly { name: string; id: string; signature: Bytes }[];
}

/** The public key of a log with the log's name, which others pin. */
export interface VerifierKey {
  readonly origin: string;
  /** Eight hexadecimal digits. */
  readonly id: string;
  readonly key: Bytes;
  /** The form `ORIGIN+ID+KEY`. */
  readonly text: string;
}

/** Parses a checkpoint; null if the bytes are anything else or spelled otherwise. */
export function parseCheckpoint(bytes: Uint8Array): Checkpoint | null {
  const text = bytes.length > MAX_LENGTH ? null : textOf(bytes);
  const end = text?.indexOf("\n\n") ?? -1;
  if (text === null || end < 0) return null;
  const body = text.slice(0, end + 1);
  const [origin = "", sizeText = "", rootText = "", ...more] = body.split("\n");
  const size = parseNumber(sizeText);
  const root = fromBase64(rootText);
  if (more.length !== 1 || !isKeyName(origin) || size === null || root?.length !== 32) return null;
  const signatures = parseSignatures(text.slice(end + 2));
  return signatures && { origin, size, root, body, bytes, signatures };
}

function parseSignatures(text: string): Checkpoint["signatures"] | null {
  if (!text.endsWith("\n")) return null;
  const signatures = text.slice(0, -1).split("\n").map(parseSignature);
  return signatures.every((signature) => signature !== null) ? signatures : null;
}

function parseSignature(line: string): Checkpoint["signatures"][number] | null {
  const [dash, name = "", encoded = "", ...more] = line.split(" ");
  const bytes = fromBase64(encoded);
  if (dash !== "—" || !isKeyName(name) || !bytes || bytes.length < 5 || more.length > 0)
    return null;
  return { name, id: toHex(bytes.subarray(0, 4)), signature: bytes.slice(4) };
}

/** Parses a key; null if it is no Ed25519 key in the one form. White space around it is ignored. */
export function parseKey(written: string): VerifierKey | null {
  const text = written.trim();
  const [, origin = "", id = "", encoded = ""] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text) ?? [];
  const key = fromBase64(encoded);
  if (!isKeyName(origin) || key?.length !== 33 || key[0] !== ED25519) return null;
  const hash = sha256(concat(bytesOf(`${origin}\n`), key));
  if (toHex(hash.subarray(0, 4)) !== id) return null;
  return { origin, id, key: key.slice(1), text };
}

/** Returns the key as PEM, which OpenSSL reads. */
export const pemOf = ({ key }: VerifierKey): string =>
  `-----BEGIN PUBLIC KEY-----\n${toBase64(concat(SPKI_PREFIX, key))}\n-----END PUBLIC KEY-----\n`;

/**
 * Returns the verified signature by a key over the checkpoint's body; null if the key is of another
 * log, has not signed, or its signature is wrong. Signatures by other keys are ignored.
 */
export async function signatureBy(
  { origin, body, signatures }: Checkpoint,
  key: VerifierKey,
): Promise<Bytes | null> {
  if (origin !== key.origin) return null;
  const own = signatures.filter(({ name, id }) => name === key.origin && id === key.id);
  const [first] = own;
  if (!first) return null;
  for (const { signature } of own) {
    if (!(await isSignedBy(key.key, bytesOf(body), signature))) return null;
  }
  return first.signature;
}

/** Whether two checkpoints are the same state of the same log. */
export const isSameHead = (one: Checkpoint, other: Checkpoint): boolean =>
  one.origin === other.origin && one.size === other.size && sameBytes(one.root, other.root);

/** Parses a decimal number without leading zeros; null if it is anything else. */
export function parseNumber(text: string): number | null {
  const number = /^(0|[1-9]\d*)$/.test(text) ? Number(text) : Number.NaN;
  return number <= MAX_SIZE ? number : null;
}

const isKeyName = (name: string) =>
  name.length > 0 && name.length <= 255 && !/[\s+\p{Control}]/u.test(name);
