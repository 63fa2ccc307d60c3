/**
 * One editing session: saving, publishing, drafts and conflicts of one idea. Runs the effects and
 * reports their results to the reducer in `sessionState`.
 *
 * Invariant: text leaves this object only when the server has acknowledged it. Whatever fails, the
 * editor keeps what was typed and a draft of it stays in the browser, and soon on the server.
 */
import type { Idea, IdeaBody } from "@/api/generated";
import { messages } from "../messages";
import { type Conflict, sameVersion } from "./conflict";
import { Copies } from "./copies";
import type { DocumentAdapter } from "./documentAdapter";
import type { Draft } from "./drafts";
import { type CopyCalls, ServerCopy } from "./serverCopy";
import { SessionDrafts } from "./sessionDrafts";
import type { SessionOptions } from "./sessionOptions";
import {
  differs,
  initialState,
  reduceSession,
  type SessionEvent,
  type SessionState,
  type SessionText,
} from "./sessionState";
import { type PublishOutcome, type SessionView, viewOf } from "./sessionView";
import { Updates } from "./updates";

const DRAFT_DELAY_MS = 300;

/** See the module comment. React reads it through `subscribe` and `getView`. */
export class DocumentSession {
  /** Id of the author. */
  readonly userId: string;
  readonly #adapter: DocumentAdapter;
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  readonly #updates: Updates;
  readonly #copies: Copies;
  readonly #copyCalls: CopyCalls;
  readonly #serverCopy: ServerCopy;
  readonly #drafts: SessionDrafts;
  #saving: Promise<Idea | null> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #state: SessionState;
  #view: SessionView;

  constructor({ adapter, calls, copyCalls, userId, idea, now = Date.now }: SessionOptions) {
    this.#adapter = adapter;
    this.#now = now;
    this.userId = userId;
    this.#updates = new Updates(calls, idea?.revision ?? null);
    this.#copies = new Copies(calls);
    this.#copyCalls = copyCalls;
    this.#serverCopy = new ServerCopy(copyCalls);
    // The adapter may normalise stored content; the normalised form counts as confirmed.
    const confirmed = { title: idea?.title ?? messages.defaultTitle, html: adapter.text() };
    const start = initialState(confirmed, idea, null);
    this.#drafts = new SessionDrafts(userId, idea?.id ?? null, (...discarded) =>
      this.#serverCopy.discard(...discarded),
    );
    this.#drafts.dropSaved((draft) => differs(start, draft));
    this.#state = { ...start, offer: this.#drafts.offer };
    this.#view = viewOf(this.#state);
  }

  get isReadOnly(): boolean {
    return this.#state.phase === "published";
  }

  readonly getView = (): SessionView => this.#view;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /**
   * Subscribes to the document, and looks for text that waits on the server. The returned function
   * unsubscribes and writes a last draft.
   */
  connect(): () => void {
    const unregister = this.#adapter.onChange(() => this.#contentChanged());
    const flush = () => {
      this.flushDraft();
      this.#serverCopy.flush();
    };
    const flushIfHidden = () => {
      if (document.visibilityState === "hidden") flush();
    };
    window.addEventListener("pagehide", flush);
    document.addEventListener("visibilitychange", flushIfHidden);
    this.#serverCopy.begin();
    void this.#offerCopy();
    return () => {
      unregister();
      window.removeEventListener("pagehide", flush);
      document.removeEventListener("visibilitychange", flushIfHidden);
      this.flushDraft();
      this.#serverCopy.end();
    };
  }

  setTitle(title: string): void {
    this.#dispatch({ type: "title-changed", title });
    this.#contentChanged();
  }

  /**
   * Adds to the number of running image uploads (negative when some end). The idea counts as
   * unsaved until there are none.
   */
  changeUploadCount(change: number): void {
    this.#dispatch({ type: "uploads-changed", by: change });
    this.flushDraft();
  }

  /**
   * Compares with the saved state at once, without the delay, and writes or removes the local
   * draft.
   */
  flushDraft(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.isReadOnly) return;
    const text = this.#text;
    const isDraftKept = differs(this.#state, text) ? this.#keepDraft(text) : this.#dropDraft();
    this.#dispatch({ type: "compared", html: text.html, isDraftKept });
  }

  /**
   * Saves the document. Resolves to the saved idea, which may turn out to be published with exactly
   * this text, or to null when it was not saved; the view then has the reason. A call during a
   * running save waits for it, and saves again if the text has changed since that began.
   */
  async save(): Promise<Idea | null> {
    if (this.#saving !== null) {
      const saved = await this.#saving;
      if (saved === null || this.isReadOnly || !differs(this.#state, this.#text)) return saved;
    }
    this.#saving ??= this.#save().finally(() => {
      this.#saving = null;
    });
    return this.#saving;
  }

  /** Returns whether there is a title; without one, nothing is saved and the view asks for it. */
  requireTitle(): boolean {
    const hasTitle = this.#state.title.trim() !== "";
    if (!hasTitle) this.#dispatch({ type: "title-missing" });
    return hasTitle;
  }

  /**
   * Saves unsaved changes, then publishes exactly what is on the screen. Refuses while uploads are
   * running.
   */
  async publish(): Promise<PublishOutcome> {
    this.#dispatch({ type: "publish-started" });
    const idea = await this.#prepareToPublish();
    if (typeof idea === "string") {
      this.#dispatch({ type: "publish-abandoned" });
      return idea;
    }
    // The save has found out that an earlier request to publish was successful.
    if (this.isReadOnly) return "published";
    // From here on the screen must not diverge from the revision that is published.
    this.#adapter.lock();
    this.#dispatch({ type: "publish-sent" });
    const result = await this.#updates.publish(idea.id);
    if (!("error" in result)) {
      this.#dispatch({ type: "published", idea: result.idea });
      return "published";
    }
    this.#adapter.unlock();
    const { error, other } = result;
    this.#dispatch({ type: "publish-failed", failure: error, conflict: this.#conflictWith(other) });
    return other?.status === "published" ? other : "failed";
  }

  /** Saves what is unsaved. Resolves to the idea to publish, or to the reason why not. */
  async #prepareToPublish(): Promise<Idea | "uploading" | "not-saved"> {
    // The user can type while a save runs, and those changes are to be published, too.
    for (this.flushDraft(); this.#saving !== null || this.#view.isDirty; this.flushDraft()) {
      if (this.#view.uploads > 0) return "uploading";
      if ((await this.save()) === null) return "not-saved";
    }
    return this.#view.idea ?? "not-saved";
  }

  /** Replaces the document with the offered draft, unless a save is running. */
  restore(): void {
    const draft = this.#state.offer;
    // The response of a running save would raise the base again, and take away the conflict below.
    if (draft === null || this.#saving !== null) return;
    this.#setAside();
    // A draft made from an older revision must run into a conflict, which the user decides.
    this.#updates.lowerBase(draft.baseRevision);
    // First, so that a browser whose storage is full can keep what takes its place.
    this.discard(draft);
    this.#replace(draft);
    this.#serverCopy.flush();
  }

  /** Replaces title and text with those of an earlier revision, as one edit that can be undone. */
  restoreRevision(title: string, html: string): void {
    if (this.isReadOnly) return;
    this.#setAside();
    this.#replace({ title, html });
  }

  /**
   * Saves the text as a new idea when this one can no longer be changed; for a published idea,
   * saves the offered draft. Resolves to the new idea, or to null when it was not saved.
   */
  async saveAsNew(): Promise<Idea | null> {
    const draft = this.isReadOnly ? this.#state.offer : null;
    if (draft === null && !this.requireTitle()) return null;
    const text = draft ?? this.#text;
    this.#dispatch({ type: "copy-started" });
    const result = await this.#copies.create({
      // An empty title of a draft cannot be corrected here, and must not keep its text from being
      // saved.
      title: text.title.trim() || messages.defaultTitle,
      content: this.#adapter.content(text.html),
      session: this.#drafts.session,
    });
    if ("error" in result) {
      this.#dispatch({ type: "copy-failed", failure: result.error });
      return null;
    }
    this.#dispatch({ type: "copied", text: draft === null ? text : null });
    if (draft !== null) this.discard(draft);
    this.flushDraft();
    return result.idea;
  }

  /** Deletes a draft: the offered one unless another is given. */
  discard(draft: Draft | null = this.#state.offer): void {
    if (draft !== null) this.#drafts.discard(draft);
    this.#dispatch({ type: "offer-changed", offer: this.#drafts.offer });
  }

  /** Closes the conflict dialog without a decision: the next save reports the conflict again. */
  postpone(): void {
    this.#dispatch({ type: "conflict-closed" });
  }

  /** Resolves the conflict for this text: the next save overwrites the other version. */
  preferMine(): void {
    const { conflict } = this.#view;
    if (conflict === null) return;
    this.#updates.base = conflict.other.revision;
    this.#dispatch({ type: "conflict-closed" });
  }

  /**
   * Keeps this text as a local draft and returns the other version, for a new session to open; null
   * when the browser cannot keep the draft.
   */
  keepAsDraft(): Idea | null {
    const { conflict } = this.#view;
    if (conflict === null) return null;
    this.flushDraft();
    if (!this.#view.isDraftKept) return null;
    this.#dispatch({ type: "conflict-closed" });
    return conflict.other;
  }

  async #save(): Promise<Idea | null> {
    if (this.isReadOnly || !this.requireTitle()) return null;
    const { idea } = this.#state;
    const text = this.#text;
    const body = { ...this.#bodyOf(text), session: this.#drafts.session };
    this.#dispatch({ type: "save-started" });
    const result = await (idea === null
      ? this.#updates.create(body)
      : this.#updates.send(idea.id, body));
    if ("error" in result) {
      const { error, other } = result;
      if (other?.status === "published" && this.#shows(other)) return this.#finish(other);
      this.#dispatch({ type: "save-failed", failure: error, conflict: this.#conflictWith(other) });
      this.flushDraft();
      return null;
    }
    this.#dropDraft();
    if (!result.isEarlier) this.#updates.base = result.idea.revision;
    const saved = result.isEarlier ? this.#state.confirmed : text;
    this.#dispatch({ type: "saved", idea: result.idea, text: saved });
    // A text that was set aside may be back, by Undo.
    this.#drafts.dropSaved((draft) => differs(this.#state, draft));
    this.#dispatch({ type: "offer-changed", offer: this.#drafts.offer });
    this.flushDraft();
    return result.isEarlier ? this.#save() : result.idea;
  }

  /** Whether nothing on the screen differs from this idea. */
  #shows(idea: Idea): boolean {
    return this.#view.uploads === 0 && sameVersion(idea, this.#bodyOf(this.#text));
  }

  /** Ends the session of an idea that is published as it is on the screen. */
  #finish(published: Idea): Idea {
    this.#adapter.lock();
    this.#dropDraft();
    this.#dispatch({ type: "published", idea: published });
    return published;
  }

  /** Offers unsaved changes as one more draft: Undo does not bring back the title. */
  #setAside(): void {
    const text = this.#text;
    if (!differs(this.#state, text)) return;
    // Now, while it is what this session wants the server to have.
    this.flushDraft();
    this.#serverCopy.flush();
    this.#drafts.setAside(this.#ideaId, this.#draftOf(text));
    this.#dispatch({ type: "offer-changed", offer: this.#drafts.offer });
  }

  #replace({ title, html }: SessionText): void {
    this.#adapter.replace(html);
    this.#dispatch({ type: "title-changed", title });
    this.flushDraft();
  }

  /**
   * Builds a conflict with the current text, since the user can type while a save runs. With a
   * published idea there is none: it cannot be overwritten.
   */
  #conflictWith(other: Idea | undefined): Conflict | null {
    if (other === undefined || other.status === "published") return null;
    return { mine: this.#bodyOf(this.#text), other };
  }

  /** Marks the idea as unsaved at once; compares and writes the draft when typing pauses. */
  #contentChanged(): void {
    if (this.isReadOnly) return;
    this.#dispatch({ type: "content-changed" });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flushDraft(), DRAFT_DELAY_MS);
  }

  get #text(): SessionText {
    return { title: this.#state.title, html: this.#adapter.text() };
  }

  #bodyOf({ title, html }: SessionText): IdeaBody {
    return { title: title.trim(), content: this.#adapter.content(html) };
  }

  get #ideaId(): number | null {
    return this.#state.idea?.id ?? null;
  }

  /** Offers text that waits on the server and differs from what is saved. */
  async #offerCopy(): Promise<void> {
    const ideaId = this.#ideaId;
    if (typeof this.#adapter.content("") !== "string") return;
    const copy = await this.#copyCalls.load(ideaId);
    if (copy === null) return;
    const { content, keptAt, ...draft } = copy;
    this.#drafts.offerCopy(ideaId, { ...draft, html: content, savedAt: Date.parse(keptAt) });
    this.#drafts.dropSaved((other) => differs(this.#state, other));
    this.#dispatch({ type: "offer-changed", offer: this.#drafts.offer });
  }

  #keepDraft(text: SessionText): boolean {
    const content = this.#adapter.content(text.html);
    // Of other content, only the title can change.
    if (typeof content === "string") {
      const { session } = this.#drafts;
      const body = { title: text.title, content, baseRevision: this.#updates.base, session };
      this.#serverCopy.want({ ideaId: this.#ideaId, body });
    }
    return this.#drafts.keep(this.#ideaId, this.#draftOf(text));
  }

  #draftOf(text: SessionText): Omit<Draft, "session"> {
    return { ...text, savedAt: this.#now(), baseRevision: this.#updates.base };
  }

  #dropDraft(): true {
    this.#drafts.drop(this.#ideaId);
    this.#serverCopy.want(null);
    return true;
  }

  #dispatch(event: SessionEvent): void {
    const state = reduceSession(this.#state, event);
    // While somebody types, nearly every event changes nothing: the screen need not render.
    if (state === this.#state) return;
    this.#state = state;
    this.#view = viewOf(this.#state);
    for (const listener of this.#listeners) listener();
  }
}
