/** The part of an editing session that the screen renders. */
import type { Idea } from "@/api/generated";
import type { Conflict } from "./conflict";
import type { Draft } from "./drafts";
import { type Failure, isSaving, isSent, type SessionState } from "./sessionState";

/** `new`: an idea without changes that was never saved. */
export type SaveStatus = "new" | "saved" | "unsaved" | "saving" | "failed";

/** Derived from the state of the session, which alone holds it. */
export interface SessionView {
  readonly title: string;
  readonly titleError: string | null;
  /** Number of times that something was refused because the title was blank. */
  readonly titleRefusals: number;
  readonly status: SaveStatus;
  readonly idea: Idea | null;
  readonly isDirty: boolean;
  readonly uploads: number;
  readonly failure: Failure | null;
  readonly isDraftKept: boolean;
  readonly offer: Draft | null;
  readonly isPublishing: boolean;
  readonly isCopying: boolean;
  /** The idea is published, or the request to publish it is running. */
  readonly isLocked: boolean;
  readonly conflict: Conflict | null;
}

/** Derives the view. */
export function viewOf(state: SessionState): SessionView {
  const { title, titleError, titleRefusals, idea, failure, offer, isCopying } = state;
  const shared = { title, titleError, titleRefusals, idea, failure, offer, isCopying };
  if (state.phase === "published") return { ...shared, ...PUBLISHED };
  const isDirty = state.changes !== "none" || state.uploads > 0;
  return {
    ...shared,
    status: isSaving(state) ? "saving" : idleStatus(isDirty, failure, idea),
    isDirty,
    uploads: state.uploads,
    isDraftKept: state.changes !== "not-kept",
    isPublishing: state.phase === "publishing",
    isLocked: isSent(state),
    conflict: state.phase === "editing" ? state.conflict : null,
  };
}

const PUBLISHED = {
  status: "saved",
  isDirty: false,
  uploads: 0,
  isDraftKept: true,
  isPublishing: false,
  isLocked: true,
  conflict: null,
} as const;

function idleStatus(isDirty: boolean, failure: Failure | null, idea: Idea | null): SaveStatus {
  if (isDirty) return failure === null ? "unsaved" : "failed";
  return idea === null ? "new" : "saved";
}

/** Outcome of publishing; the idea if it was published elsewhere meanwhile. */
export type PublishOutcome = "published" | "uploading" | "not-saved" | "failed" | Idea;

/** Whether the text can be saved as a new idea; an imported PDF cannot. */
export const canBeCopied = ({ idea }: SessionView): boolean => typeof idea?.content === "string";
