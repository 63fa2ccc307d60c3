/**
 * State of one editing session: saving, publishing, drafts and conflicts of one idea.
 *
 * Invariant: text leaves this object only when the server has acknowledged it. Whatever fails, the
 * editor keeps what was typed and a draft of it stays in the browser.
 */
import type { Idea } from "@/api/generated";
import { messages } from "../messages";
import type { SessionCalls } from "./calls";
import type { DocumentAdapter } from "./documentAdapter";
import type { Draft } from "./drafts";
import { SessionDrafts } from "./sessionDrafts";
import type { SessionOptions } from "./sessionOptions";
import {
  type PublishOutcome,
  type SaveStatus,
  type SessionView,
  startingView,
} from "./sessionView";
import { type UpdateResult, Updates } from "./updates";

const DRAFT_DELAY_MS = 300;

/** See the module comment. React reads it through `subscribe` and `getView`. */
export class DocumentSession {
  readonly #adapter: DocumentAdapter;
  readonly #calls: SessionCalls;
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  readonly #updates: Updates;
  readonly #drafts: SessionDrafts;
  #baseline: { title: string; html: string };
  #saving: Promise<Idea | null> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #view: SessionView;

  constructor({ adapter, calls, userId, idea, now = Date.now }: SessionOptions) {
    this.#adapter = adapter;
    this.#calls = calls;
    this.#now = now;
    this.#updates = new Updates(calls, idea?.revision ?? null);
    const title = idea?.title ?? messages.defaultTitle;
    // The adapter may normalise stored content; the normalised form counts as saved.
    this.#baseline = { title, html: this.#adapter.text() };
    this.#drafts = new SessionDrafts(userId, idea?.id ?? null, (draft) => this.#differs(draft));
    this.#view = startingView(title, idea, this.#drafts.offer);
  }

  get isReadOnly(): boolean {
    return this.#view.idea?.status === "published";
  }

  readonly getView = (): SessionView => this.#view;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Subscribes to the document. The returned function unsubscribes and writes a last draft. */
  connect(): () => void {
    const unregister = this.#adapter.onChange(() => this.#contentChanged());
    const flushDraft = () => this.flushDraft();
    window.addEventListener("pagehide", flushDraft);
    return () => {
      unregister();
      window.removeEventListener("pagehide", flushDraft);
      this.flushDraft();
    };
  }

  setTitle(title: string): void {
    this.#setState({ title, titleError: null });
    this.#contentChanged();
  }

  /**
   * Adds to the number of running image uploads (negative when some end). The idea counts as
   * unsaved until there are none.
   */
  countUploads(change: number): void {
    this.#setState({ uploads: this.#view.uploads + change });
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
    const differs = this.#differs(text);
    const isDraftKept = differs ? this.#keepDraft(text.html) : this.#dropDraft();
    const isDirty = differs || this.#view.uploads > 0;
    this.#setState({ isDirty, isDraftKept, status: this.#idleStatus(isDirty) });
  }

  /**
   * Saves the document. Resolves to the saved idea, or to null when it was not saved; the view then
   * has the reason. A call during a running save waits for it, and saves again if the text has
   * changed since that began.
   */
  async save(): Promise<Idea | null> {
    if (this.#saving !== null) {
      const saved = await this.#saving;
      if (saved === null || !this.#differs(this.#text)) return saved;
    }
    this.#saving ??= this.#save().finally(() => {
      this.#saving = null;
    });
    return this.#saving;
  }

  /**
   * Saves unsaved changes, then publishes exactly what is on the screen. Refuses while uploads are
   * running.
   */
  async publish(): Promise<PublishOutcome> {
    this.#setState({ isPublishing: true });
    const outcome = await this.#publish();
    this.#setState({ isPublishing: false });
    return outcome;
  }

  async #publish(): Promise<PublishOutcome> {
    // The user can type while a save runs, and those changes are to be published, too.
    for (this.flushDraft(); this.#saving !== null || this.#view.isDirty; this.flushDraft()) {
      if (this.#view.uploads > 0) return "uploading";
      if ((await this.save()) === null) return "not-saved";
    }
    const { idea } = this.#view;
    if (idea === null) return "not-saved";
    // From here on the screen must not diverge from the revision that is published.
    this.#adapter.lock();
    this.#setState({ isLocked: true });
    const result = await this.#updates.publish(idea.id);
    if ("error" in result) {
      this.#adapter.unlock();
      this.#setState({ isLocked: false, failure: result.error });
      const { other } = { other: undefined, ...result };
      if (other?.status === "published") return other;
      if (other) this.#openConflict(other);
      return "failed";
    }
    this.#setState({ failure: null, idea: result.idea });
    return "published";
  }

  /** Replaces the document with the offered draft. */
  restore(): void {
    const draft = this.#view.offer;
    if (draft === null) return;
    this.#adapter.replace(draft.html);
    // A draft made from an older revision must run into a conflict, which the user decides.
    this.#updates.lowerBase(draft.baseRevision);
    this.#setState({ title: draft.title, titleError: null });
    this.flushDraft();
    this.discard();
  }

  /** Replaces title and text with those of an earlier revision, as one edit that can be undone. */
  restoreRevision(title: string, html: string): void {
    if (this.isReadOnly) return;
    this.#adapter.replace(html);
    this.#setState({ title, titleError: null });
    this.flushDraft();
  }

  /**
   * Saves the text as a new idea when this one can no longer be changed; for a published idea,
   * saves the offered draft. Resolves to the new idea, or to null when it was not saved.
   */
  async saveAsNew(): Promise<Idea | null> {
    const draft = this.isReadOnly ? this.#view.offer : null;
    if (draft === null && !this.#hasTitle()) return null;
    const text = draft ?? this.#text;
    this.#setState({ isCopying: true });
    const result = await this.#calls.create({
      // An empty title of a draft cannot be corrected here, and must not keep its text from being
      // saved.
      title: text.title.trim() || messages.defaultTitle,
      content: this.#adapter.content(text.html),
    });
    this.#setState({ isCopying: false });
    if ("error" in result) {
      this.#setState({ failure: result.error });
      return null;
    }
    if (draft === null) this.#baseline = text;
    else this.discard(draft);
    this.#setState({ failure: null });
    this.flushDraft();
    return result.idea;
  }

  /** Deletes a draft: the offered one unless another is given. */
  discard(draft: Draft | null = this.#view.offer): void {
    if (draft !== null) this.#drafts.discard(draft);
    this.#setState({ offer: this.#drafts.offer });
  }

  /** Closes the conflict dialog without a decision: the next save reports the conflict again. */
  postpone(): void {
    this.#setState({ conflict: null });
  }

  /** Resolves the conflict for this text: the next save overwrites the other version. */
  preferMine(): void {
    const { conflict } = this.#view;
    if (conflict === null) return;
    this.#updates.base = conflict.other.revision;
    this.#setState({ conflict: null });
  }

  /**
   * Keeps this text as a local draft and returns the other version, for a new session to open; null
   * when the browser cannot keep the draft.
   */
  setAside(): Idea | null {
    const { conflict } = this.#view;
    if (conflict === null) return null;
    this.flushDraft();
    if (!this.#view.isDraftKept) return null;
    this.#setState({ conflict: null });
    return conflict.other;
  }

  async #save(): Promise<Idea | null> {
    if (this.isReadOnly || !this.#hasTitle()) return null;
    const { idea } = this.#view;
    const { title, html } = this.#text;
    const body = { title: title.trim(), content: this.#adapter.content(html) };
    this.#setState({ status: "saving", conflict: null });
    const result: UpdateResult = await (idea === null
      ? this.#calls.create(body)
      : this.#updates.send(idea.id, body));
    if ("error" in result) {
      this.#setState({ failure: result.error, status: "failed" });
      this.flushDraft();
      if ("other" in result && result.other) this.#openConflict(result.other);
      return null;
    }
    this.#dropDraft();
    this.#updates.base = result.idea.revision;
    this.#baseline = { title, html };
    this.#setState({ idea: result.idea, failure: null, status: "saved" });
    this.flushDraft();
    return result.idea;
  }

  #hasTitle(): boolean {
    const hasTitle = this.#view.title.trim() !== "";
    if (!hasTitle) this.#setState({ titleError: messages.titleRequired });
    return hasTitle;
  }

  /** Opens the conflict dialog with the current text, since the user can type while a save runs. */
  #openConflict(other: Idea): void {
    const content = this.#adapter.content(this.#adapter.text());
    this.#setState({ conflict: { mine: { title: this.#view.title, content }, other } });
  }

  /** Marks the idea as unsaved at once; compares and writes the draft when typing pauses. */
  #contentChanged(): void {
    if (this.isReadOnly) return;
    if (!this.#view.isDirty && this.#view.status !== "saving") {
      this.#setState({ isDirty: true, status: "unsaved" });
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flushDraft(), DRAFT_DELAY_MS);
  }

  #idleStatus(isDirty: boolean): SaveStatus {
    const { status, failure, idea } = this.#view;
    if (status === "saving") return status;
    if (isDirty) return failure === null ? "unsaved" : "failed";
    return idea === null ? "new" : "saved";
  }

  get #text(): { title: string; html: string } {
    return { title: this.#view.title, html: this.#adapter.text() };
  }

  #keepDraft(html: string): boolean {
    return this.#drafts.keep(this.#view.idea?.id ?? null, {
      title: this.#view.title,
      html,
      savedAt: this.#now(),
      baseRevision: this.#updates.base,
    });
  }

  #dropDraft(): true {
    this.#drafts.drop(this.#view.idea?.id ?? null);
    return true;
  }

  #differs({ title, html }: { title: string; html: string }): boolean {
    return title !== this.#baseline.title || html !== this.#baseline.html;
  }

  #setState(change: Partial<SessionView>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener();
  }
}
