/**
 * Allow-lists for the addresses in a document, checked when it is shown: stored HTML is untrusted
 * input, even though the server has sanitized it.
 */

/** Allowed link schemes (docs/rules.md#link-schemes). */
const LINK = /^(?:https?|ftps?):\/\/[^/?#]|^(?:mailto|tel|callto|sms|cid|xmpp):[^\s]/i;
const IMAGE = /^\/api\/files\/[A-Za-z0-9-]+$/;
const INLINE_IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/;
const VIDEO = /^https:\/\/www\.youtube-nocookie\.com\/embed\/([A-Za-z0-9_-]{11})$/;
/** Browsers strip control characters before they parse the scheme. */
const CONTROLS = /\p{Cc}/u;

/** Returns the address of a link, or null when it is not allowed. */
export const linkAddress = (address: string | null): string | null =>
  address && LINK.test(address) && !CONTROLS.test(address) ? address : null;

/**
 * Returns the address of an image on this server or inline, else null: other servers would learn
 * who reads.
 */
export const imageAddress = (address: string | null): string | null =>
  address && (IMAGE.test(address) || INLINE_IMAGE.test(address)) ? address : null;

/** Returns the id of an embedded video, or null for any other frame. */
export const videoId = (address: string | null): string | null =>
  (address && VIDEO.exec(address)?.[1]) || null;
