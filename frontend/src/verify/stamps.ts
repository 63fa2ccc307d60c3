/**
 * Whether stamps have the form of one to their end, and are for a file. Whether they are true is
 * decided with others' tools, so that this is all that sets them apart from any other file here.
 */
import { type Bytes, bytesOf, concat, sameBytes, toHex } from "./bytes";
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
export function stampProblem(file: Bytes, stamped: Uint8Array, path: string): string | null {
  const digest = sha256(stamped);
  const end = OTS_HEADER.length + digest.length;
  const isStamp = sameBytes(file.subarray(0, OTS_HEADER.length), OTS_HEADER) && file.length > end;
  if (!isStamp) return messages.anchors.notStamp;
  if (!sameBytes(file.subarray(OTS_HEADER.length, end), digest)) {
    return messages.anchors.otherFile(path);
  }
  return stampEnds(file).length > 0 ? null : messages.anchors.notStamp;
}

/** Where an OpenTimestamps file leads to. */
export interface StampEnd {
  /** The attestation and its message, which is the same in all files that lead there. */
  readonly text: string;
  /** Whether it is a block of Bitcoin, or a promise of a calendar. */
  readonly isKnown: boolean;
}

const MAX_STAMP_LENGTH = 1024 * 1024;
const MAX_MESSAGE_LENGTH = 4096;
const MAX_STEPS = 4096;
const MAX_DEPTH = 255;
const [ATTESTATION, SHA256, APPEND, PREPEND, FORK] = [0x00, 0x08, 0xf0, 0xf1, 0xff];
const BITCOIN = "0588960d73d71901";
const PROMISE = "83dfe30d2ef90c8e";

/** Follows an OpenTimestamps file to all its ends; none if it is malformed. */
export function stampEnds(file: Bytes): StampEnd[] {
  if (file.length > MAX_STAMP_LENGTH) return [];
  const ends: StampEnd[] = [];
  let at = OTS_HEADER.length + 32;
  let steps = 0;
  const take = (length: number): Bytes => {
    if (at + length > file.length) throw new RangeError("The stamp is cut off.");
    at += length;
    return file.subarray(at - length, at);
  };
  const byte = (): number => take(1)[0] ?? 0;
  const variable = (): Bytes => {
    let length = 0;
    for (let place = 0; place < 5; place += 1) {
      const digit = byte();
      length += (digit & 0x7f) * 128 ** place;
      if (digit < 0x80) return take(length);
    }
    throw new RangeError("The stamp has too long a part.");
  };
  const follow = (message: Bytes, depth: number): void => {
    let isLast = false;
    while (!isLast) {
      let step = byte();
      isLast = step !== FORK;
      if (!isLast) step = byte();
      steps += 1;
      if (steps > MAX_STEPS || depth > MAX_DEPTH || message.length > MAX_MESSAGE_LENGTH) {
        throw new RangeError("The stamp is too long.");
      }
      if (step === ATTESTATION) ends.push(endOf(toHex(take(8)), variable(), message));
      else if (step === SHA256) follow(sha256(message), depth + 1);
      else if (step === APPEND) follow(concat(message, operand(variable())), depth + 1);
      else if (step === PREPEND) follow(concat(operand(variable()), message), depth + 1);
      else throw new RangeError("The stamp has an unknown step.");
    }
  };
  try {
    follow(file.subarray(OTS_HEADER.length, at), 0);
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
  return at === file.length ? ends : [];
}

function operand(bytes: Bytes): Bytes {
  if (bytes.length === 0) throw new RangeError("The stamp has an empty part.");
  return bytes;
}

function endOf(tag: string, payload: Bytes, message: Bytes): StampEnd {
  const text = String.fromCharCode(...payload);
  const isMalformed =
    (tag === BITCOIN && !/^[\x80-\xff]{0,4}[\0-\x7f]$/s.test(text)) ||
    (tag === PROMISE && !/^[\x80-\xff]?[\0-\x7f][\w./:-]*$/s.test(text));
  if (isMalformed) throw new RangeError("The stamp has a malformed end.");
  const isKnown = tag === BITCOIN || tag === PROMISE;
  return { text: `${tag} ${toHex(payload)} ${toHex(message)}`, isKnown };
}

/** Returns why a file is no answer of an authority (RFC 3161) for another one at a path. */
export function timestampProblem(
  file: Uint8Array,
  stamped: Uint8Array,
  path: string,
): string | null {
  if (file.length > MAX_TIMESTAMP_LENGTH || !isSequence(file)) return messages.anchors.notTimestamp;
  // The stamped value is an OCTET STRING with the digest.
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
