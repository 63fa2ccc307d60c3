/**
 * Addresses as a document stores them. Links are normalized when typed, pasted, loaded from storage
 * and written out, always by this module; what is allowed is what readers are shown.
 */
import { imageAddress } from "@/content/addresses";
import { linkAddress } from "@/ui/addresses";
import { cleanText } from "./escape";

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const HOST_WITH_PORT = /^(?:localhost|[^/?#:@]+\.[^/?#:@]+):\d+(?:[/?#]|$)/i;
const EMAIL = /^[^\s@/:?#]+@[^\s@/:?#]+\.[^\s@/:?#]+(?:\?\S*)?$/;
const PHONE = /^\+[\d\s().-]{5,}$/;
/**
 * Browsers strip control characters before they parse the scheme, so a check must strip them too.
 */
const CONTROLS = /\p{Cc}/gu;
/** Characters that HTML serializers or parsers could write in more than one way. */
const UNSAFE_IN_ATTRIBUTE = /[\s"'<>`{}|\\^]/gu;

/**
 * Returns the address as it is stored, or null when the document may not link to it.
 *
 * An address without a scheme becomes mailto, tel or http. The result is a fixed point: parsing it
 * again returns it unchanged, which keeps saved HTML byte-identical.
 */
export function parseLinkUrl(input: string): string | null {
  const text = cleanText(input).replace(CONTROLS, "").trim();
  if (text === "" || /^[#?]/.test(text) || /^\/(?!\/)/.test(text)) return null;
  const scheme = HOST_WITH_PORT.test(text) ? undefined : SCHEME.exec(text)?.[1]?.toLowerCase();
  const absolute = scheme === undefined ? withScheme(text) : text;
  const url = absolute
    .replace(SCHEME, (prefix) => prefix.toLowerCase())
    .replace(UNSAFE_IN_ATTRIBUTE, encodeCharacter);
  return URL.canParse(url) ? linkAddress(url) : null;
}

function withScheme(text: string): string {
  if (EMAIL.test(text)) return `mailto:${text}`;
  // The zero of "+41 (0)44" is not dialled after a country code.
  if (PHONE.test(text)) return `tel:${text.replace(/\(0\)|\s/g, "")}`;
  return `http://${text.replace(/^\/\//, "")}`;
}

/** Returns the address of an image as it is stored, or null when the document may not show it. */
export const parseImageUrl = (input: string): string | null => imageAddress(input.trim());

function encodeCharacter(character: string): string {
  // encodeURIComponent leaves the apostrophe alone.
  return character === "'" ? "%27" : encodeURIComponent(character);
}

/** Whether pasted text has an allowed scheme itself, and so is meant as an address. */
export function hasScheme(text: string): boolean {
  return SCHEME.test(text.trim()) && !/\s/.test(text.trim()) && parseLinkUrl(text) !== null;
}
