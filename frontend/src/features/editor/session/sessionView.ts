/** What the screen knows of an editing session. */
import type { Idea } from "@/api/generated";
import type { ApiError } from "@/api/http";
import type { Conflict } from "./conflict";
import type { Draft } from "./drafts";

/** `new`: an untouched idea that was never saved. */
export type SaveStatus = "new" | "saved" | "unsaved" | "saving" | "failed";

/** What the screen shows of a session. */
export interface SessionView {
  readonly title: string;
  readonly titleError: string | null;
  readonly status: SaveStatus;
  /** The idea as the server last confirmed it; null before it was created. */
  readonly idea: Idea | null;
  readonly isDirty: boolean;
  /** Images on their way into the text, which makes it dirty. */
  readonly uploads: number;
  readonly failure: ApiError | null;
  /** False when the draft is not kept: for lack of room, or after a logout in another tab. */
  readonly isDraftKept: boolean;
  /** Unsaved text of an earlier session, offered until the person decides. */
  readonly offer: Draft | null;
  readonly isPublishing: boolean;
  /** The text, or a draft, is being saved as an idea of its own. */
  readonly isCopying: boolean;
  /** Nothing can be changed: the idea is published, or the server is just asked to publish it. */
  readonly isLocked: boolean;
  /** Set while the person has to choose between two versions. */
  readonly conflict: Conflict | null;
}

/** The view of a session that just starts; `title` is what it gives the idea. */
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

/** What came of publishing; the idea, if somebody else has published it. */
export type PublishOutcome = "published" | "uploading" | "not-saved" | "failed" | Idea;

/** An imported PDF has one idea: its own. */
export const canBeCopied = ({ idea }: SessionView): boolean => typeof idea?.content === "string";
