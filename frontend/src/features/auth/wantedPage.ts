import { paths } from "@/app/paths";
import { RETURN_TO_KEY } from "@/app/returnTo";

/** Where a login leads: to the page that was wanted in this tab, once, or else to the dashboard. */
export function takeWantedPage(): string {
  const wanted = sessionStorage.getItem(RETURN_TO_KEY);
  sessionStorage.removeItem(RETURN_TO_KEY);
  if (wanted === null) return paths.dashboard;
  const { pathname, search, hash } = new URL(wanted);
  return pathname + search + hash;
}
