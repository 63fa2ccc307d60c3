import { redirect } from "react-router";
import { revalidateUser } from "@/account/revalidateUser";
import { takeReturnTo } from "@/features/auth/takeReturnTo";
import type { AppRuntime } from "@/store/store";

/**
 * Redirects a signed-in creator from the login and register screens to the page that was requested,
 * or else to the dashboard.
 */
export async function redirectIfSignedIn({ store }: AppRuntime): Promise<null> {
  if (await revalidateUser(store)) throw redirect(takeReturnTo());
  return null;
}
