import { setNonce } from "get-nonce";

/**
 * Passes the page's nonce to Radix Dialog, whose injected style element the content security policy
 * would otherwise block.
 */
export function applyPageNonce(): void {
  const nonce = document.querySelector<HTMLMetaElement>("meta[name='csp-nonce']")?.content;
  if (nonce) setNonce(nonce);
}
