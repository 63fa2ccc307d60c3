import { redirect } from "react-router";
import { store as keep } from "@/browser/storage";
import { paths } from "@/routing/paths";
import { RETURN_TO_KEY } from "@/routing/returnTo";
import { forgetUser, rememberUser } from "@/store/currentUserSlice";
import type { AppRuntime } from "@/store/store";

/**
 * The protected-route guard: asks the server on every navigation who the user is. Access control is
 * the server's; this only keeps people from screens that cannot work.
 */
export async function requireUser(runtime: AppRuntime, request: Request): Promise<null> {
  const { store, loadApi } = runtime;
  const api = await loadApi();
  const answer = await store.dispatch(
    api.endpoints.getCurrentUser.initiate(undefined, { forceRefetch: true, subscribe: false }),
  );
  // Another navigation's check has emptied the cache before this one could read its result.
  if (answer.isUninitialized) return requireUser(runtime, request);
  if (answer.isSuccess) {
    // The next user must not see the last user's cached ideas. Not earlier, when a mounted
    // signed-in screen would fetch them again. The owner of the cache is tracked separately,
    // because the login form has already replaced the store's user.
    if (runtime.cacheOwner !== answer.data.id) {
      runtime.cacheOwner = answer.data.id;
      store.dispatch(api.util.resetApiState());
    }
    rememberUser(store, answer.data);
    return null;
  }
  // No response says nothing about the session: the error screen offers a retry.
  if (answer.error && "status" in answer.error && answer.error.status === 0) throw answer.error;
  forgetUser(store);
  keep("sessionStorage", RETURN_TO_KEY, request.url);
  throw redirect(paths.login);
}
