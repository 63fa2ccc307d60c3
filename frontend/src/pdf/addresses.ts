/** Which addresses a PDF may have and lead to. A PDF is input: it is checked when it is shown. */

const FILE = /^\/api\/files\/[A-Za-z0-9-]+$/;
/** Spec section 9, allowed link schemes. */
const LINK = /^(?:https?|ftps?):\/\/[^/?#]|^(?:mailto|tel|callto|sms|cid|xmpp):[^\s]/i;
/** Browsers drop these before they look for a scheme. */
const CONTROLS = /\p{Cc}/u;

/** The address of an imported PDF, which only this server can hold. */
export const pdfAddress = (address: unknown): string | null =>
  typeof address === "string" && FILE.test(address) ? address : null;

/** The same file as an attachment. */
export const downloadAddress = (address: string) => `${address}?download=1`;

/** Where a link inside a PDF leads, or null where it may not lead. */
export const linkTarget = (address: unknown): string | null =>
  typeof address === "string" && LINK.test(address) && !CONTROLS.test(address) ? address : null;
