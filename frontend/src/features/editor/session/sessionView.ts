/** The state of an editing session that the screen renders. */
import type { Idea } from "@/api/generated";
import type { ApiError } from "@/api/http";
import type { Conflict } from "./conflict";
import type { Draft } from "./drafts";

/** `new`: an idea without changes that was never saved. */
export type SaveStatus = "new" | "saved" | "unsaved" | "saving" | "failed";

/** State that the screen renders. */
export interface SessionView {
  readonly title: string;
  readonly titleError: string | null;
  readonly status: SaveStatus;
  /** The idea as the server last confirmed it; null before it was created. */
  readonly idea: Idea | null;
  readonly isDirty: boolean;
  /** Running image uploads; while there are any, the idea is dirty. */
  readonly uploads: number;
  readonly failure: ApiError | null;
  /**
   * False when the draft could not be written: storage is full, or the user logged out in another
   * tab.
   */
  readonly isDraftKept: boolean;
  /** Draft of an earlier session, offered until the user restores or discards it. */
  readonly offer: Draft | null;
  readonly isPublishing: boolean;
  /** The text, or a draft, is being saved as a new idea. */
  readonly isCopying: boolean;
  /** The idea is published, or the request to publish it is running. */
  readonly isLocked: boolean;
  /** Set while the user has to choose between two versions. */
  readonly conflict: Conflict | null;
}

/** Builds the initial view; `title` is the initial title. */
export function startingView(title: string, idea: Idea | null, offer: Draft | null): SessionView {
  return {
    title,
    titleError: null,
    status: idea === null ? "new" : "saved",
    idea,
    isDirty: false,
    uploads: 0,
    failure: null,
    isDraftKept: true,
    offer,
    isPublishing: false,
    isCopying: false,
    isLocked: idea?.status === "published",
    conflict: null,
  };
}

/** Outcome of publishing; the idea if it was published elsewhere meanwhile. */
export type PublishOutcome = "published" | "uploading" | "not-saved" | "failed" | Idea;

/** Whether the text can be saved as a new idea; an imported PDF cannot. */
export const canBeCopied = ({ idea }: SessionView): boolean => typeof idea?.content === "string";
