/**
 * Allow-lists for the addresses in what people wrote or imported. It is untrusted input, even
 * though the server has checked it, so they are checked again when it is shown.
 */

/** Allowed link schemes (docs/rules.md#link-schemes). */
const LINK = /^(?:https?|ftps?):\/\/[^/?#]|^(?:mailto|tel|callto|sms|cid|xmpp):[^\s]/i;
const FILE = /^\/api\/files\/[A-Za-z0-9-]+$/;
/** Browsers strip control characters before they parse the scheme. */
const CONTROLS = /\p{Cc}/u;

/** Returns the address if a document may link to it, otherwise null. */
export const linkAddress = (address: unknown): string | null =>
  typeof address === "string" && LINK.test(address) && !CONTROLS.test(address) ? address : null;

/** Returns the address if it is that of a file on this server, otherwise null. */
export const fileAddress = (address: unknown): string | null =>
  typeof address === "string" && FILE.test(address) ? address : null;
