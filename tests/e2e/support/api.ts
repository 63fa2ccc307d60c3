import type { APIResponse, BrowserContext } from "playwright-core";

type Options = Parameters<BrowserContext["request"]["fetch"]>[1];
type Call = (path: string, options?: Options) => Promise<APIResponse>;

/** Calls of the API with the cookies of a browser context. */
export interface Api {
  get: Call;
  post: Call;
  put: Call;
  delete: Call;
}

/** Returns calls with the cookies of `context`. */
export function api({ request }: BrowserContext): Api {
  const call =
    (method: string): Call =>
    (path, options) =>
      // The server may close an idle connection in the moment in which it is used again.
      request.fetch(path, { maxRetries: 1, ...options, method });
  return { get: call("GET"), post: call("POST"), put: call("PUT"), delete: call("DELETE") };
}
