import { type Bytes, concat } from "./bytes";

/** The DER of an Ed25519 public key up to the key itself (RFC 8410 section 4). */
export const SPKI_PREFIX = new Uint8Array([
  0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
]);

/**
 * Whether a signature is by this key (RFC 8032): checked by the browser, or by a library where the
 * browser has no Ed25519 or the page is not from https.
 */
export async function isSignedBy(
  key: Bytes,
  message: Bytes,
  signature: Bytes,
  subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle,
): Promise<boolean> {
  if (signature.length !== 64 || key.length !== 32) return false;
  const imported = subtle && (await importKey(subtle, key));
  if (imported) return subtle.verify("Ed25519", imported, signature, message);
  const { verify } = await import("./ed25519Library");
  return verify(signature, message, key);
}

async function importKey(subtle: SubtleCrypto, key: Bytes): Promise<CryptoKey | null> {
  try {
    return await subtle.importKey("spki", concat(SPKI_PREFIX, key), "Ed25519", false, ["verify"]);
  } catch {
    return null;
  }
}
