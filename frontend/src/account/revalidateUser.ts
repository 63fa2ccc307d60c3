import type { User } from "@/api/generated";
import { publicClient } from "@/api/publicClient";
import { forgetUser, rememberUser } from "@/store/currentUserSlice";

/**
 * Asks the server who is signed in and keeps the store and browser storage in step. Resolves to
 * null when nobody is, or when no response came; in the latter case the stored user stays.
 */
export async function revalidateUser(
  store: Parameters<typeof rememberUser>[0],
): Promise<User | null> {
  const { data, error } = await publicClient.currentUser();
  if (data) rememberUser(store, data);
  else if (error.status === 401) forgetUser(store);
  return data ?? null;
}
