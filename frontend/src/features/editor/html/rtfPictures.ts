/**
 * Pictures in RTF. Word's HTML refers to files on the author's disk, which no page may read; the
 * RTF beside it on the clipboard contains the pictures themselves, in the same order.
 */

const HEX_TAIL = /[0-9a-fA-F\s]+$/;
/** Start of the copy of a picture for old readers, to be skipped. */
const FALLBACK = "{\\nonshppict";

/**
 * Returns a `data:` URL for each picture in document order; null for a format that browsers do not
 * support.
 */
export function readRtfPictures(rtf: string): (string | null)[] {
  const pictures: (string | null)[] = [];
  let from = 0;
  for (;;) {
    const start = rtf.indexOf("{\\pict", from);
    const fallback = rtf.indexOf(FALLBACK, from);
    if (start < 0) return pictures;
    if (fallback >= 0 && fallback < start) {
      from = groupEnd(rtf, fallback);
      continue;
    }
    from = groupEnd(rtf, start);
    pictures.push(readPicture(rtf.slice(start, from - 1)));
  }
}

/** Returns the position after the group that begins at `start`. */
function groupEnd(rtf: string, start: number): number {
  let depth = 0;
  for (let at = start; at < rtf.length; at += 1) {
    const character = rtf[at];
    if (character === "\\") at += 1;
    else if (character === "{") depth += 1;
    else if (character === "}") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return rtf.length;
}

function readPicture(group: string): string | null {
  const head = group.slice(0, 4_096);
  const type = head.includes("\\pngblip") ? "png" : head.includes("\\jpegblip") ? "jpeg" : null;
  // The bytes follow the last control word and the last nested group.
  const words = Math.max(group.lastIndexOf("}"), lastControlWordEnd(group));
  const hex = HEX_TAIL.exec(group.slice(words + 1))?.[0].replace(/\s/g, "") ?? "";
  if (type === null || hex === "" || hex.length % 2 !== 0) return null;
  return `data:image/${type};base64,${toBase64(hex)}`;
}

function lastControlWordEnd(group: string): number {
  const slash = group.lastIndexOf("\\");
  const word = /^\\[a-z]+-?\d*/.exec(group.slice(slash, slash + 64))?.[0] ?? "";
  return slash + word.length - 1;
}

function toBase64(hex: string): string {
  const parts: string[] = [];
  // A multiple of three bytes at a time, so that the base64 parts can be joined.
  for (let at = 0; at < hex.length; at += 24_576) {
    const pairs = hex.slice(at, at + 24_576).match(/../g) ?? [];
    parts.push(btoa(String.fromCharCode(...pairs.map((pair) => Number.parseInt(pair, 16)))));
  }
  return parts.join("");
}
