import type { SerializedError } from "@reduxjs/toolkit";
import { type BaseQueryFn, createApi } from "@reduxjs/toolkit/query/react";
import { type ApiError, type ApiRequest, type ApiResult, noResponse, send } from "./http";

const baseQuery: BaseQueryFn<ApiRequest | string, unknown, ApiError> = (args, { signal }) =>
  send({ ...(typeof args === "string" ? { url: args } : args), signal });

const tagTypes = [
  "Me",
  "Idea",
  "IdeaList",
  "Shares",
  "Activity",
  "Comments",
  "Assets",
  "Storage",
] as const;

/** Tags of cached responses, which mutations invalidate. */
export type CacheTag = (typeof tagTypes)[number];

/**
 * The empty RTK Query API that the generated endpoints are injected into. Cached data never expires
 * by itself (docs/rules.md#ui-constants): only mutations invalidate it.
 */
export const baseApi = createApi({
  reducerPath: "api",
  baseQuery,
  tagTypes,
  keepUnusedDataFor: Number.POSITIVE_INFINITY,
  refetchOnFocus: false,
  refetchOnReconnect: false,
  endpoints: () => ({}),
});

/** Failure that a hook or thunk of RTK Query reports: of the call, or of our own code around it. */
export type CallFailure = ApiError | SerializedError;

/** Returns the failure of a call; something that our own code threw counts as one without response. */
export const toApiError = (cause: CallFailure): ApiError =>
  "status" in cause ? cause : noResponse(cause.message ?? "unknown");

/** Returns what a dispatched call resolves to in the form that `send` has. */
export const toResult = <T>({
  data,
  error,
}: {
  data?: T | undefined;
  error?: CallFailure | undefined;
}): ApiResult<T> => (error ? { error: toApiError(error) } : { data: data as T });

/**
 * Whether what was to be deleted is still there, as far as the server said: 404 means that it is
 * gone, perhaps by a first try whose answer was lost.
 */
export const hasFailedToDelete = (cause: CallFailure | undefined): boolean =>
  cause !== undefined && toApiError(cause).status !== 404;
