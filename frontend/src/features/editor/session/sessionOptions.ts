import type { Idea } from "@/api/generated";
import type { SessionCalls } from "./calls";
import type { Surface } from "./surface";

/** What an editing session starts with. */
export interface SessionOptions {
  readonly surface: Surface;
  readonly calls: SessionCalls;
  readonly userId: string;
  /** Null for an idea that is to be created. */
  readonly idea: Idea | null;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}
