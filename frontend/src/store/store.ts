import {
  combineSlices,
  configureStore,
  createDynamicMiddleware,
  type Middleware,
  type WithSlice,
} from "@reduxjs/toolkit";
import type { baseApi } from "@/api/baseApi";
import { commentDraftsSlice } from "./commentDraftsSlice";
import { commentsSlice } from "./commentsSlice";
import { currentUserSlice } from "./currentUserSlice";
import { recipientSlice } from "./recipientSlice";
import { toastSlice } from "./toastSlice";
import { visitSlice } from "./visitSlice";

/**
 * Public pages never load RTK Query; its slice is injected when the first signed-in page requests
 * it.
 */
const rootReducer = combineSlices(
  toastSlice,
  currentUserSlice,
  visitSlice,
  recipientSlice,
  commentsSlice,
  commentDraftsSlice,
).withLazyLoadedSlices<WithSlice<typeof baseApi>>();

/** The store of the running application, and the way to add RTK Query to it. */
export interface AppRuntime {
  store: AppStore;
  /** Loads and attaches RTK Query once. A failed download is retried at the next call. */
  loadApi: () => Promise<typeof import("@/api/enhanced").api>;
  /** Id of the user whose data RTK Query's cache may hold. */
  cacheOwner: string | null;
}

/** Creates the runtime, once per page load and once per test. */
export function createAppRuntime(): AppRuntime {
  const { store, addMiddleware } = createStore();
  let loading: ReturnType<AppRuntime["loadApi"]> | undefined;

  async function attachApi() {
    const { api } = await import("@/api/enhanced");
    rootReducer.inject(api);
    addMiddleware(api.middleware as Middleware);
    store.dispatch({ type: "app/apiAttached" });
    return api;
  }

  const loadApi = () => {
    loading ??= attachApi().catch((cause: unknown) => {
      loading = undefined;
      throw cause;
    });
    return loading;
  };

  return { store, loadApi, cacheOwner: null };
}

function createStore() {
  const dynamic = createDynamicMiddleware();
  const store = configureStore({
    reducer: rootReducer,
    middleware: (defaults) => defaults().concat(dynamic.middleware),
  });
  return { store, addMiddleware: dynamic.addMiddleware };
}

type AppStore = ReturnType<typeof createStore>["store"];
export type RootState = ReturnType<AppStore["getState"]>;
export type AppDispatch = AppStore["dispatch"];
