import { redirect } from "react-router";
import { confirmUser } from "@/account/confirmUser";
import { takeWantedPage } from "@/features/auth/wantedPage";
import type { AppRuntime } from "@/store/store";

/**
 * Redirects a signed-in creator from the login and register screens to the page that was requested,
 * or else to the dashboard.
 */
export async function passIfSignedIn({ store }: AppRuntime): Promise<null> {
  if (await confirmUser(store)) throw redirect(takeWantedPage());
  return null;
}
