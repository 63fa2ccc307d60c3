import type { Idea, IdeaBody, IdeaUpdateBody } from "@/api/generated";
import type { ApiError } from "@/api/http";

/** Calls to the server; each gives the idea as it is then or the failure, and never throws. */
export interface SessionCalls {
  create(body: IdeaBody): Promise<CallResult>;
  update(id: number, body: IdeaUpdateBody): Promise<CallResult>;
  /** Asks the server, whatever is known already. */
  load(id: number): Promise<CallResult>;
  /** Publishes that revision, and no newer one. */
  publish(id: number, baseRevision: number | null): Promise<CallResult>;
}

/** Outcome of one call. */
export type CallResult = { idea: Idea } | { error: ApiError };
