import { type BaseQueryFn, createApi } from "@reduxjs/toolkit/query/react";
import { type ApiError, type ApiRequest, noResponse, send } from "./http";

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

/**
 * Returns the failure that a hook or thunk of RTK Query reports. Something that our own code threw
 * counts as a call without a response.
 */
export const toApiError = (cause: unknown): ApiError =>
  typeof cause === "object" && cause !== null && "status" in cause
    ? (cause as ApiError)
    : noResponse(String(cause));
