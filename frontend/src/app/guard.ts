import { redirect } from "react-router";
import { forgetUser, rememberUser } from "@/api/currentUserSlice";
import { paths } from "./paths";
import { RETURN_TO_KEY } from "./returnTo";
import type { AppRuntime } from "./store";

/**
 * The protected-route guard: asks the server on every navigation who the user is. The server's own
 * gates are what protects; this only keeps people from looking at screens that cannot work.
 */
export async function requireUser(runtime: AppRuntime, request: Request): Promise<null> {
  const { store, loadApi } = runtime;
  const api = await loadApi();
  const answer = await store.dispatch(
    api.endpoints.getCurrentUser.initiate(undefined, { forceRefetch: true, subscribe: false }),
  );
  // Another navigation's check has emptied the cache before this one could read its answer.
  if (answer.isUninitialized) return requireUser(runtime, request);
  if (answer.isSuccess) {
    // Whoever logs in next must not meet the last user's cached ideas. Only now, when no signed-in
    // screen is left that would fetch them again. Whose they are, the store's user does not tell:
    // the login form has changed it by now.
    if (runtime.cacheOwner !== answer.data.id) {
      runtime.cacheOwner = answer.data.id;
      store.dispatch(api.util.resetApiState());
    }
    rememberUser(store, answer.data);
    return null;
  }
  // No answer says nothing about the session: the error screen offers to try again.
  if (answer.error && "status" in answer.error && answer.error.status === 0) throw answer.error;
  forgetUser(store);
  sessionStorage.setItem(RETURN_TO_KEY, request.url);
  throw redirect(paths.login);
}
