import { redirect } from "react-router";
import { forgetUser, rememberUser } from "@/api/currentUserSlice";
import { paths } from "./paths";
import type { AppRuntime } from "./store";

const PROTECTED = /^\/(dashboard|profile|editor\/|share\/)/;

/** Whether a path belongs to the signed-in routes of spec section 2. */
export const isProtectedPath = (pathname: string): boolean => PROTECTED.test(pathname);

/**
 * The protected-route guard: asks the server on every navigation who the user is. The server's own
 * gates are what protects; this only keeps people from looking at screens that cannot work.
 */
export async function requireUser({ store, loadApi }: AppRuntime): Promise<null> {
  const api = await loadApi();
  const answer = await store.dispatch(
    api.endpoints.getCurrentUser.initiate(undefined, { forceRefetch: true, subscribe: false }),
  );
  if (answer.isSuccess) {
    rememberUser(store, answer.data);
    return null;
  }
  // No answer says nothing about the session: the error screen offers to try again.
  if (answer.error && "status" in answer.error && answer.error.status === 0) throw answer.error;
  forgetUser(store);
  // Whoever logs in next must not meet this user's cached ideas.
  store.dispatch(api.util.resetApiState());
  throw redirect(paths.login);
}
