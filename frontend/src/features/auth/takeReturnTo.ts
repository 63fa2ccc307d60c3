import { readStored, removeStored } from "@/browser/storage";
import { paths } from "@/routing/paths";
import { RETURN_TO_KEY } from "@/routing/returnTo";

/**
 * Returns the page to open after a login, and clears it: the one requested in this tab, or else the
 * dashboard.
 */
export function takeReturnTo(): string {
  const wanted = readStored("sessionStorage", RETURN_TO_KEY);
  removeStored("sessionStorage", RETURN_TO_KEY);
  if (wanted === null) return paths.dashboard;
  const { pathname, search, hash } = new URL(wanted);
  return pathname + search + hash;
}
