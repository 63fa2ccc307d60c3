/** The two blocks that are not text: their allowed addresses and their stored form. */
import { escapeAttribute } from "./escape";
import { parseImageUrl } from "./urls";

/** A stored image. */
export interface ImageData {
  readonly src: string;
  readonly alt: string;
  /** Pixels; 0 when unknown. Prevents layout shifts while the image loads. */
  readonly width: number;
  readonly height: number;
}

/**
 * Longest image in characters that stays inline when it cannot be uploaded; larger ones would use up
 * an idea's limit of 8 MiB.
 */
const MAX_INLINE_LENGTH = 2 * 1024 * 1024;
/**
 * Longest pasted image in characters of base64: pasted images are uploaded, and the server takes 5
 * MiB.
 */
export const MAX_PASTED_IMAGE_LENGTH = 7_000_000;
const VIDEO_ID = /^[A-Za-z0-9_-]{11}$/;
const YOUTUBE_HOSTS: ReadonlySet<string> = new Set([
  "youtube.com",
  "www.youtube.com",
  "m.youtube.com",
]);
const PLAYER = "https://www.youtube-nocookie.com/embed/";

/**
 * Reads an image element; null when the document may not show it or its inline data is longer than
 * `maxLength`.
 */
export function readImage(
  element: Element,
  maxLength = Number.POSITIVE_INFINITY,
): ImageData | null {
  const src = parseImageUrl(element.getAttribute("src") ?? "");
  if (src === null || src.length > maxLength) return null;
  return {
    src,
    alt: element.getAttribute("alt") ?? "",
    width: wholeNumber(element.getAttribute("width")),
    height: wholeNumber(element.getAttribute("height")),
  };
}

/** Returns the stored form of an image; empty when its address is not allowed. */
export function writeImage({ src, alt, width, height }: ImageData): string {
  const url = parseImageUrl(src);
  if (url === null) return "";
  const size = width > 0 && height > 0 ? ` width="${width}" height="${height}"` : "";
  return `<img src="${escapeAttribute(url)}" alt="${escapeAttribute(alt)}"${size}>`;
}

/** Whether an inline image may stay inline when it could not be uploaded. */
export function mayStayInline(src: string): boolean {
  return src.length <= MAX_INLINE_LENGTH;
}

/** Returns a whole number from 1 to 99999, else 0. */
export function wholeNumber(value: unknown): number {
  const number = typeof value === "number" ? value : Number.parseInt(String(value), 10);
  return Number.isInteger(number) && number > 0 && number < 100_000 ? number : 0;
}

/**
 * Returns the id of a YouTube video from a watch or short link; null for every other address, other
 * YouTube pages included.
 */
export function parseVideoUrl(input: string): string | null {
  const text = input.trim();
  const address = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address)) return null;
  const { protocol, hostname, pathname, searchParams } = new URL(address);
  if (protocol !== "https:" && protocol !== "http:") return null;
  if (hostname === "youtu.be") return parseVideoId(pathname.slice(1));
  const isWatch = YOUTUBE_HOSTS.has(hostname) && pathname === "/watch";
  return isWatch ? parseVideoId(searchParams.get("v")) : null;
}

/** Returns the id when it is well-formed, else null. */
export function parseVideoId(value: unknown): string | null {
  return typeof value === "string" && VIDEO_ID.test(value) ? value : null;
}

/** Returns the id of a stored player; null for any other frame. */
export function readVideo(element: Element): string | null {
  const src = element.getAttribute("src") ?? "";
  return src.startsWith(PLAYER) ? parseVideoId(src.slice(PLAYER.length)) : null;
}

/** Returns the stored form of a player, 560 by 315 px (docs/rules.md#ui-constants). */
export function writeVideo(id: string): string {
  if (parseVideoId(id) === null) return "";
  return (
    `<iframe src="${PLAYER}${id}" width="560" height="315" title="YouTube video" ` +
    'allowfullscreen="" loading="lazy" referrerpolicy="strict-origin-when-cross-origin" ' +
    `data-lexical-youtube="${id}"></iframe>`
  );
}

/** Returns the address of the video's page on YouTube. */
export function videoPageUrl(id: string): string {
  return `https://youtu.be/${id}`;
}

/** Returns the player's address, with autoplay because the user has just pressed Play. */
export function videoPlayerUrl(id: string): string {
  return `${PLAYER}${id}?autoplay=1`;
}
