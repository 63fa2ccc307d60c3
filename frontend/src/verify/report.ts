/** Result of verifying a bundle. */
import type { Bytes } from "./bytes";

/** Topics of claims, in the order of verification. */
export const topics = [
  "files",
  "signature",
  "key",
  "event",
  "place",
  "consistency",
  "disclosure",
  "content",
  "terms",
  "authority",
  "witness",
  "bitcoin",
] as const;
export type Topic = (typeof topics)[number];

/** Whether a claim is true; for what cannot be decided here, the command that decides it. */
export type Outcome =
  | { readonly kind: "holds" }
  | { readonly kind: "fails"; readonly reason: string }
  | { readonly kind: "unknown"; readonly reason: string; readonly command?: string | undefined };

/** A claim about a file of the bundle. */
export interface Claim {
  readonly topic: Topic;
  /** Path of the file. */
  readonly subject: string;
  readonly outcome: Outcome;
  readonly note?: string | undefined;
}

/** The story told by events of a bundle, as far as its claims hold. */
export interface Story {
  /** Number of the idea that agreements name. */
  readonly idea: string | null;
  /** That of the last event that names one, as is the creator. */
  readonly title: string | null;
  readonly creator: string | null;
  /** In the order of the logs. */
  readonly events: readonly {
    readonly place: number;
    /** Name of the log, if the events are of several. */
    readonly log: string | null;
    readonly type: string;
    readonly at: string;
    /** Whether it is an acceptance that says that no delivery of the text is on record. */
    readonly isUndelivered: boolean;
    /** Who, by which address, if that is disclosed. */
    readonly person: string | null;
    readonly address: string | null;
    /** Number of the version of the idea. */
    readonly version: string | null;
  }[];
}

/** The story of a log for which only the bundle vouches. */
export interface UnvouchedStory extends Story {
  /** Folder of its files: a false bundle may have several logs of one name. */
  readonly prefix: string;
  /** Name of the log. */
  readonly origin: string;
}

/** The story of a bundle, by the events that its newest log vouches for. */
export interface Summary extends Story {
  /** Name of the newest log. */
  readonly origin: string;
  /** Number of events of that log. */
  readonly size: number;
  /** The key that the bundle brings for it. */
  readonly vkey: string;
  /** Stories of other logs, for which only the bundle vouches. */
  readonly unvouched: readonly UnvouchedStory[];
}

export interface Report {
  readonly claims: readonly Claim[];
  /** Null if the bundle's newest log has no valid checkpoint. */
  readonly summary: Summary | null;
  /** The report in the bundle, if it says what the events say. */
  readonly page: Bytes | null;
}
