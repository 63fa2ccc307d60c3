/**
 * The state of an editing session and everything that can happen to it. The reducer is pure:
 * calls, timers, drafts and the document itself are effects of `DocumentSession`, which reports
 * their results as events.
 */
import type { Idea } from "@/api/generated";
import type { ApiError } from "@/api/http";
import { messages } from "../messages";
import type { Conflict } from "./conflict";
import type { Draft } from "./drafts";

/** Title and text as a session compares them. */
export interface SessionText {
  readonly title: string;
  readonly html: string;
}

/**
 * Changes that the server does not have: none, or some, which the browser keeps as a draft (or will
 * when typing pauses), or refuses to keep: storage is full, or the user logged out in another tab.
 */
type Changes = "none" | "kept" | "not-kept";

/** A failed call, and what it was made for, which can be retried. */
export interface Failure extends ApiError {
  readonly action: "save" | "publish" | "copy";
}

interface AnyPhase {
  readonly title: string;
  readonly titleError: string | null;
  /** Number of times that something was refused because the title was blank. */
  readonly titleRefusals: number;
  /** Title and text as the server last confirmed them. */
  readonly confirmed: SessionText;
  /** Failure of the last call, until one succeeds. */
  readonly failure: Failure | null;
  /** Draft of an earlier session, offered until the user restores or discards it. */
  readonly offer: Draft | null;
  /** The text, or a draft, is being saved as a new idea. */
  readonly isCopying: boolean;
}

interface Unpublished extends AnyPhase {
  /** The idea as the server last confirmed it; null before it was created. */
  readonly idea: Idea | null;
  readonly changes: Changes;
  /** Running image uploads; while there are any, the idea counts as changed. */
  readonly uploads: number;
}

interface Editing extends Unpublished {
  readonly phase: "editing";
  /** Set while the user has to choose between two versions. */
  readonly conflict: Conflict | null;
}

interface Saving extends Unpublished {
  readonly phase: "saving";
}

interface Publishing extends Unpublished {
  readonly phase: "publishing";
  /** Changes are saved before the request to publish is sent; from then on nothing may change. */
  readonly step: "preparing" | "saving" | "sent";
}

interface Published extends AnyPhase {
  readonly phase: "published";
  readonly idea: Idea;
}

/** The state of an editing session. */
export type SessionState = Editing | Saving | Publishing | Published;

/** Something that happened to a session. */
export type SessionEvent =
  | { type: "title-changed"; title: string }
  | { type: "title-missing" }
  | { type: "content-changed" }
  /** The document was compared with what is confirmed, and its draft written if it differs. */
  | { type: "compared"; html: string; isDraftKept: boolean }
  | { type: "uploads-changed"; by: number }
  | { type: "offer-changed"; offer: Draft | null }
  | { type: "save-started" }
  | { type: "saved"; idea: Idea; text: SessionText }
  | { type: "save-failed"; failure: ApiError; conflict: Conflict | null }
  | { type: "publish-started" }
  | { type: "publish-sent" }
  | { type: "published"; idea: Idea }
  | { type: "publish-failed"; failure: ApiError; conflict: Conflict | null }
  /** Nothing was sent: an upload is running, or the changes could not be saved. */
  | { type: "publish-abandoned" }
  | { type: "copy-started" }
  /** `text` is what was saved; null for the offered draft. */
  | { type: "copied"; text: SessionText | null }
  | { type: "copy-failed"; failure: ApiError }
  | { type: "conflict-closed" };

/** Builds the state of a session that starts; `confirmed` is the initial title and text. */
export function initialState(
  confirmed: SessionText,
  idea: Idea | null,
  offer: Draft | null,
): SessionState {
  const { title } = confirmed;
  const start = {
    title,
    titleError: null,
    titleRefusals: 0,
    confirmed,
    failure: null,
    offer,
    isCopying: false,
  };
  if (idea?.status === "published") return { ...start, phase: "published", idea };
  return { ...start, phase: "editing", idea, changes: "none", uploads: 0, conflict: null };
}

/** Whether a text differs from what the server last confirmed. */
export const differs = ({ confirmed }: SessionState, { title, html }: SessionText): boolean =>
  title !== confirmed.title || html !== confirmed.html;

/** Returns the state after an event. An event that a phase does not expect changes nothing. */
export function reduceSession(state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case "offer-changed":
      return { ...state, offer: event.offer };
    case "copy-started":
      return { ...state, isCopying: true };
    case "copied":
      return {
        ...state,
        confirmed: event.text ?? state.confirmed,
        failure: null,
        isCopying: false,
      };
    case "copy-failed":
      return { ...state, failure: { ...event.failure, action: "copy" }, isCopying: false };
    default:
      return state.phase === "published" ? state : reduceUnpublished(state, event);
  }
}

type UnpublishedEvent = Exclude<SessionEvent, { type: "offer-changed" | `cop${string}` }>;

function reduceUnpublished(
  state: Exclude<SessionState, Published>,
  event: UnpublishedEvent,
): SessionState {
  switch (event.type) {
    case "title-changed":
      return isSent(state) ? state : { ...state, title: event.title, titleError: null };
    case "title-missing":
      return {
        ...state,
        titleError: messages.titleRequired,
        titleRefusals: state.titleRefusals + 1,
      };
    case "content-changed":
      // While a save runs, its end decides.
      return isSaving(state) || state.changes !== "none" ? state : { ...state, changes: "kept" };
    case "compared": {
      const isChanged = differs(state, { title: state.title, html: event.html });
      const changes = isChanged ? (event.isDraftKept ? "kept" : "not-kept") : "none";
      return { ...state, changes };
    }
    case "uploads-changed":
      return { ...state, uploads: state.uploads + event.by };
    case "save-started":
      if (isSent(state)) return state;
      return state.phase === "publishing"
        ? { ...state, step: "saving" }
        : { ...state, phase: "saving" };
    case "saved": {
      if (isSent(state)) return state;
      const saved = { ...state, idea: event.idea, confirmed: event.text, failure: null };
      return saved.phase === "publishing" ? { ...saved, step: "preparing" } : edit(saved);
    }
    case "publish-started":
      if (state.phase === "publishing") return state;
      return { ...state, phase: "publishing", step: isSaving(state) ? "saving" : "preparing" };
    case "publish-sent":
      return state.phase === "publishing" ? { ...state, step: "sent" } : state;
    case "published": {
      const { changes: _, uploads: __, ...rest } = state;
      return { ...rest, phase: "published", idea: event.idea, failure: null };
    }
    case "publish-abandoned":
      if (state.phase !== "publishing") return state;
      return isSaving(state) ? { ...state, phase: "saving" } : edit(state);
    case "save-failed":
    case "publish-failed": {
      if (event.type === "save-failed" && isSent(state)) return state;
      // A draft that could not be saved first cannot be published.
      const action = state.phase === "publishing" ? "publish" : "save";
      return { ...edit(state), failure: { ...event.failure, action }, conflict: event.conflict };
    }
    case "conflict-closed":
      return state.phase === "editing" ? { ...state, conflict: null } : state;
  }
}

const edit = (state: Unpublished): Editing => ({ ...state, phase: "editing", conflict: null });

/** Whether the request to publish is running; until its end, nothing may change. */
export const isSent = (state: SessionState): boolean =>
  state.phase === "publishing" && state.step === "sent";

/** Whether a save is running. */
export const isSaving = (state: SessionState): boolean =>
  state.phase === "saving" || (state.phase === "publishing" && state.step === "saving");
