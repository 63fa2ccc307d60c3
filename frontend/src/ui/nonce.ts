import { setNonce } from "get-nonce";

/**
 * Radix Dialog injects a style element to lock scrolling, which the content security policy allows
 * only with the nonce that the server writes into the page.
 */
export function adoptPageNonce(): void {
  const nonce = document.querySelector<HTMLMetaElement>("meta[name='csp-nonce']")?.content;
  if (nonce) setNonce(nonce);
}
