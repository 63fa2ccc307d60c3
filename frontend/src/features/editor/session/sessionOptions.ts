import type { Idea } from "@/api/generated";
import type { SessionCalls } from "./calls";
import type { DocumentAdapter } from "./documentAdapter";
import type { CopyCalls } from "./serverCopy";

/** Dependencies and initial state of an editing session. */
export interface SessionOptions {
  readonly adapter: DocumentAdapter;
  readonly calls: SessionCalls;
  readonly copyCalls: CopyCalls;
  readonly userId: string;
  /** Null for a new idea. */
  readonly idea: Idea | null;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}
