/**
 * Allow-lists for the address of a PDF and for the links inside it. A PDF is untrusted input, so
 * they are checked when it is shown.
 */

const FILE = /^\/api\/files\/[A-Za-z0-9-]+$/;
/** Allowed link schemes (docs/rules.md#link-schemes). */
const LINK = /^(?:https?|ftps?):\/\/[^/?#]|^(?:mailto|tel|callto|sms|cid|xmpp):[^\s]/i;
/** Browsers strip control characters before they parse the scheme. */
const CONTROLS = /\p{Cc}/u;

/** Returns the address of an imported PDF if it is on this server, otherwise null. */
export const pdfAddress = (address: unknown): string | null =>
  typeof address === "string" && FILE.test(address) ? address : null;

/** Returns the address of the file as an attachment. */
export const downloadAddress = (address: string) => `${address}?download=1`;

/** Returns the target of a link inside a PDF, or null when it is not allowed. */
export const linkTarget = (address: unknown): string | null =>
  typeof address === "string" && LINK.test(address) && !CONTROLS.test(address) ? address : null;
