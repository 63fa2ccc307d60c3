import { createHmac } from "node:crypto";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const stepSeconds = 30;

/**
 * Returns the six digits that an authenticator app shows for a secret, some time steps from now
 * (RFC 6238).
 */
export function totpCode(secret: string, stepsAhead = 0): string {
  const step = Math.floor(Date.now() / 1000 / stepSeconds) + stepsAhead;
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac("sha1", bytesOf(secret)).update(counter).digest();
  const place = hash.readUInt8(hash.length - 1) & 15;
  const number = hash.readUInt32BE(place) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

/** Decodes Base 32 (RFC 4648) of whole bytes. */
function bytesOf(secret: string): Buffer {
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, "0"));
  const bytes = bits.join("").match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}
