import type { ApiError } from "@/api/http";

/**
 * For the failures that spec section 8 wants in the console. Never given an address: addresses of
 * this feature hold tokens.
 */
export function logFailure(what: string, error: ApiError): void {
  console.error(what, error.message);
}
