import { api } from "./enhanced";
import type { SharedIdea } from "./generated";

/** Endpoints that only a share's recipients use. */
export const recipientApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** Looks a share up like a browser that has never seen it, which opens no view. */
    peekShare: build.query<SharedIdea, string>({
      query: (token) => ({ url: `/api/share/${encodeURIComponent(token)}`, credentials: "omit" }),
    }),
  }),
});
