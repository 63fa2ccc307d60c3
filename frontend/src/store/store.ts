import type { ThunkDispatch } from "@reduxjs/toolkit";
import {
  applyMiddleware,
  combineReducers,
  legacy_createStore,
  type Middleware,
  type UnknownAction,
} from "redux";
import type { baseApi } from "@/api/baseApi";
import { commentDraftsReducer } from "./commentDraftsSlice";
import { currentUserReducer } from "./currentUserSlice";
import { toastReducer } from "./toastSlice";
import { visitReducer } from "./visitSlice";

type ApiState = ReturnType<typeof baseApi.reducer>;

const reducers = {
  toast: toastReducer,
  currentUser: currentUserReducer,
  visit: visitReducer,
  commentDrafts: commentDraftsReducer,
};

/** The store of the running application, and the way to add RTK Query to it. */
export interface AppRuntime {
  store: AppStore;
  /** Loads and attaches RTK Query once. A failed download is retried at the next call. */
  loadApi: () => Promise<typeof import("@/api/enhanced").api>;
  /** Id of the user whose data RTK Query's cache may hold, and nobody else's. */
  cacheOwner: string | null;
}

/** Creates the runtime, once per page load and once per test. */
export function createAppRuntime(): AppRuntime {
  const { store, addApi } = createStore();
  let loading: ReturnType<AppRuntime["loadApi"]> | undefined;

  async function attachApi() {
    const { api } = await import("@/api/enhanced");
    addApi(api);
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

/**
 * Creates the store without Redux Toolkit, which public pages never load: it comes with RTK Query,
 * when the first page requests it that is a creator's or a recipient's.
 */
function createStore() {
  const late = createLateMiddleware();
  let apiReducer: typeof baseApi.reducer | undefined;
  const reducer = combineReducers({
    ...reducers,
    api: (state = NOT_LOADED, action: UnknownAction) =>
      apiReducer?.(state ?? undefined, action) ?? NOT_LOADED,
  });
  const store = legacy_createStore(
    reducer,
    applyMiddleware<ThunkDispatch<ReturnType<typeof reducer>, undefined, UnknownAction>>(
      thunk,
      late.middleware,
    ),
  );
  const addApi = (api: typeof baseApi) => {
    apiReducer = api.reducer;
    late.add(api.middleware);
    store.dispatch({ type: "app/apiAdded" });
  };
  return { store, addApi };
}

/** State of RTK Query before it is added: no screen that reads it is shown before. */
const NOT_LOADED = null as unknown as ApiState;

/** Calls functions that are dispatched. */
const thunk: Middleware = (store) => (next) => (action) =>
  typeof action === "function" ? action(store.dispatch, store.getState) : next(action);

/** Keeps a place for a middleware that is loaded later. */
function createLateMiddleware() {
  let add: (added: Middleware) => void = () => undefined;
  const middleware: Middleware = (store) => (next) => {
    let handle = next;
    add = (added) => {
      handle = added(store)(next);
    };
    return (action) => handle(action);
  };
  return { middleware, add: (added: Middleware) => add(added) };
}

type AppStore = ReturnType<typeof createStore>["store"];
export type RootState = ReturnType<AppStore["getState"]>;
export type AppDispatch = AppStore["dispatch"];
