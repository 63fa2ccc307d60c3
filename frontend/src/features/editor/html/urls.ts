/**
 * The single allow-list for addresses in a document. Links are checked when typed, pasted, loaded
 * from storage and written out, always by this module, so that the checks cannot disagree.
 */

import { cleanText } from "./escape";

/** Allowed link schemes (docs/rules.md#link-schemes). */
export const LINK_SCHEMES = [
  "http",
  "https",
  "ftp",
  "ftps",
  "mailto",
  "tel",
  "callto",
  "sms",
  "cid",
  "xmpp",
] as const;

const SCHEMES: ReadonlySet<string> = new Set(LINK_SCHEMES);
const HOST_SCHEMES: ReadonlySet<string> = new Set(["http", "https", "ftp", "ftps"]);
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const HOST_WITH_PORT = /^(?:localhost|[^/?#:@]+\.[^/?#:@]+):\d+(?:[/?#]|$)/i;
/**
 * Browsers strip control characters before they parse the scheme, so a check must strip them too.
 */
const CONTROLS = /\p{Cc}/gu;
/** Characters that HTML serializers or parsers could write in more than one way. */
const UNSAFE_IN_ATTRIBUTE = /[\s"'<>`{}|\\^]/gu;

/**
 * Returns the address as it is stored, or null when the document may not link to it.
 *
 * An address without a scheme becomes http. The result is a fixed point: parsing it again returns
 * it unchanged, which keeps saved HTML byte-identical.
 */
export function parseLinkUrl(input: string): string | null {
  const text = cleanText(input).replace(CONTROLS, "").trim();
  if (text === "" || /^[#?]/.test(text) || /^\/(?!\/)/.test(text)) return null;
  const scheme = HOST_WITH_PORT.test(text) ? undefined : SCHEME.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && !SCHEMES.has(scheme)) return null;
  const absolute = scheme === undefined ? `http://${text.replace(/^\/\//, "")}` : text;
  const url = absolute
    .replace(SCHEME, (prefix) => prefix.toLowerCase())
    .replace(UNSAFE_IN_ATTRIBUTE, encodeCharacter);
  return isComplete(url, scheme ?? "http") ? url : null;
}

const DATA_IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/;
const UPLOADED_IMAGE = /^\/api\/files\/[A-Za-z0-9-]+$/;

/**
 * Returns the image address when the document may show it: a file of this server, or inline
 * raster data. Remote images would tell a third party who reads the idea, and when.
 */
export function parseImageUrl(input: string): string | null {
  const text = input.trim();
  return UPLOADED_IMAGE.test(text) || DATA_IMAGE.test(text) ? text : null;
}

function isComplete(url: string, scheme: string): boolean {
  if (!URL.canParse(url)) return false;
  if (HOST_SCHEMES.has(scheme)) return /^[a-z]+:\/\/[^/?#]/.test(url);
  return url.length > scheme.length + 1;
}

function encodeCharacter(character: string): string {
  // encodeURIComponent leaves the apostrophe alone.
  return character === "'" ? "%27" : encodeURIComponent(character);
}

/** Whether pasted text has an allowed scheme itself, and so is meant as an address. */
export function hasScheme(text: string): boolean {
  return SCHEME.test(text.trim()) && !/\s/.test(text.trim()) && parseLinkUrl(text) !== null;
}
