/**
 * Whether stamps have the form of one, and are for a file. Whether they are true is decided with
 * others' tools, so that this is all that sets them apart from any other file here.
 */
import { bytesOf, concat, sameBytes } from "./bytes";
import { sha256 } from "./hash";
import { messages } from "./messages";

/** The longest answer of an authority, in bytes, as the server accepts it. */
const MAX_TIMESTAMP_LENGTH = 64 * 1024;

/** Start of an OpenTimestamps file: magic bytes, version 1, and SHA-256 as the file's digest. */
const OTS_HEADER = concat(
  bytesOf("\0OpenTimestamps\0\0Proof\0"),
  Uint8Array.of(0xbf, 0x89, 0xe2, 0xe8, 0x84, 0xe8, 0x92, 0x94, 0x01, 0x08),
);

/** Returns why a file is no OpenTimestamps file for another one at a path. */
export function stampProblem(file: Uint8Array, stamped: Uint8Array, path: string): string | null {
  const digest = sha256(stamped);
  const end = OTS_HEADER.length + digest.length;
  const isStamp = sameBytes(file.subarray(0, OTS_HEADER.length), OTS_HEADER) && file.length > end;
  if (!isStamp) return messages.anchors.notStamp;
  return sameBytes(file.subarray(OTS_HEADER.length, end), digest)
    ? null
    : messages.anchors.otherFile(path);
}

/** Returns why a file is no answer of an authority (RFC 3161) for another one at a path. */
export function timestampProblem(
  file: Uint8Array,
  stamped: Uint8Array,
  path: string,
): string | null {
  if (file.length > MAX_TIMESTAMP_LENGTH || !isSequence(file)) return messages.anchors.notTimestamp;
  // What is stamped is an OCTET STRING with the digest.
  const digest = sha256(stamped);
  const named = concat(Uint8Array.of(0x04, digest.length), digest);
  return includes(file, named) ? null : messages.anchors.otherFile(path);
}

/** Whether bytes are one SEQUENCE in DER, and nothing behind it. */
function isSequence(bytes: Uint8Array): boolean {
  const [tag, length = 0] = bytes;
  if (tag !== 0x30) return false;
  if (length < 0x80) return bytes.length === 2 + length;
  const start = 2 + (length & 0x7f);
  const long = bytes.subarray(2, start).reduce((sum, byte) => sum * 256 + byte, 0);
  return long >= 0x80 && bytes.length === start + long;
}

function includes(bytes: Uint8Array, part: Uint8Array): boolean {
  const last = bytes.length - part.length;
  for (let at = 0; at <= last; at += 1) {
    if (sameBytes(bytes.subarray(at, at + part.length), part)) return true;
  }
  return false;
}
