import { readFileSync } from "node:fs";
import { pdf, type Upload } from "./files";

/**
 * PDFs that are hard to open. Those that take an encoder or a cipher to make are kept in samples/,
 * where make.py makes them; the others are written here.
 */

const mimeType = "application/pdf";

function kept(name: string): Upload {
  const buffer = readFileSync(new URL(`../samples/${name}`, import.meta.url));
  return { name, mimeType, buffer };
}

/** Two pages filled by a picture each: one in JBIG2, one in JPEG 2000. */
export const pictures = kept("pictures.pdf");

/** The same with both pictures made unreadable, in a file that is sound otherwise. */
export function damagedPictures(): Upload {
  const buffer = Buffer.from(pictures.buffer);
  let at = buffer.indexOf("/Subtype/Image");
  for (; at >= 0; at = buffer.indexOf("/Subtype/Image", at + 1)) {
    const data = buffer.indexOf("stream\n", at) + "stream\n".length;
    buffer.fill("A", data, buffer.indexOf("\nendstream", data));
  }
  return { name: "damaged.pdf", mimeType, buffer };
}

/** Opens with a password only. */
export const locked = kept("password.pdf");

/** Opens for everybody; a password forbids changes. */
export const ownerLocked = kept("owner-password.pdf");

/** Sound, and without a page. */
export const withoutPages = pdf("empty.pdf", []);

/** Ends in the middle. */
export function cutOff(): Upload {
  const { name, buffer } = pdf("cut.pdf", ["First half", "Second half"]);
  return { name, mimeType, buffer: buffer.subarray(0, buffer.length / 2) };
}

/** As large as the format promises readers to be able to show: five metres by five. */
export const largePage = pdf("large.pdf", ["Five metres wide"], { width: 14_400, height: 14_400 });
