import type { ApiError } from "@/api/http";

/**
 * Logs a failure to the console. Never pass an address: addresses of this feature contain tokens.
 */
export function logFailure(what: string, error: ApiError): void {
  console.error(what, error.message);
}
