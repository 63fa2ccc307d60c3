import type { Idea, IdeaBody, IdeaUpdateBody } from "@/api/generated";
import type { ApiError } from "@/api/http";

/** Calls to the server. Each resolves to the current idea or to the failure, and never throws. */
export interface SessionCalls {
  /** Creates an idea; called again with the same key, returns that one as it is now. */
  create(body: IdeaBody, key: string): Promise<CallResult>;
  update(id: number, body: IdeaUpdateBody): Promise<CallResult>;
  /** Loads the idea from the server, past the cache. */
  load(id: number): Promise<CallResult>;
  /** Fails with 409 when the server has a newer revision than `baseRevision`. */
  publish(id: number, baseRevision: number | null): Promise<CallResult>;
}

/** Outcome of one call. */
export type CallResult = { idea: Idea } | { error: ApiError };
