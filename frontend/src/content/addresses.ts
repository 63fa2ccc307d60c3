/**
 * Which addresses a document may lead to, checked when it is shown: stored HTML is input, even
 * though the server has sanitized it.
 */

/** Spec section 9, allowed link schemes. */
const LINK = /^(?:https?|ftps?):\/\/[^/?#]|^(?:mailto|tel|callto|sms|cid|xmpp):[^\s]/i;
const IMAGE = /^\/api\/files\/[A-Za-z0-9-]+$/;
const INLINE_IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/;
const VIDEO = /^https:\/\/www\.youtube-nocookie\.com\/embed\/([A-Za-z0-9_-]{11})$/;
/** Browsers drop these before they look for a scheme. */
const CONTROLS = /\p{Cc}/u;

/** The address of a link, or null. */
export const linkAddress = (address: string | null): string | null =>
  address && LINK.test(address) && !CONTROLS.test(address) ? address : null;

/** The address of an image: of this server or inline, since others would learn who reads. */
export const imageAddress = (address: string | null): string | null =>
  address && (IMAGE.test(address) || INLINE_IMAGE.test(address)) ? address : null;

/** The id of an embedded video, or null for any other frame. */
export const videoId = (address: string | null): string | null =>
  (address && VIDEO.exec(address)?.[1]) || null;
