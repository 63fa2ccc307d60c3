/**
 * One person editing one idea: what is saved, what is not, and what happens to it.
 *
 * Invariant: text leaves this object only when the server has acknowledged it. Whatever fails,
 * the editor keeps what was typed and a draft of it stays in the browser.
 */
import type { Idea } from "@/api/generated";
import { messages } from "../messages";
import type { SessionCalls } from "./calls";
import type { Draft } from "./drafts";
import { SessionDrafts } from "./sessionDrafts";
import type { SessionOptions } from "./sessionOptions";
import {
  type PublishOutcome,
  type SaveStatus,
  type SessionView,
  startingView,
} from "./sessionView";
import type { Surface } from "./surface";
import { type UpdateResult, Updates } from "./updates";

const SETTLE_MS = 300;

/** See the module comment. React reads it through `subscribe` and `getView`. */
export class DocumentSession {
  readonly #surface: Surface;
  readonly #calls: SessionCalls;
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  readonly #updates: Updates;
  readonly #drafts: SessionDrafts;
  #baseline: { title: string; html: string };
  #saving: Promise<Idea | null> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #view: SessionView;

  constructor({ surface, calls, userId, idea, now = Date.now }: SessionOptions) {
    this.#surface = surface;
    this.#calls = calls;
    this.#now = now;
    this.#updates = new Updates(calls, idea?.revision ?? null);
    const title = idea?.title ?? messages.defaultTitle;
    // What the surface makes of the stored content counts as saved, even where it tidied it.
    this.#baseline = { title, html: this.#surface.text() };
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

  /** Follows the surface until the returned function is called, which keeps a last draft. */
  connect(): () => void {
    const unregister = this.#surface.onChange(() => this.#touch());
    const settle = () => this.settle();
    window.addEventListener("pagehide", settle);
    return () => {
      unregister();
      window.removeEventListener("pagehide", settle);
      this.settle();
    };
  }

  setTitle(title: string): void {
    this.#show({ title, titleError: null });
    this.#touch();
  }

  /** So many more images, or fewer, are on their way into the text: unsaved until they are there. */
  countUploads(change: number): void {
    this.#show({ uploads: this.#view.uploads + change });
    this.settle();
  }

  /** Compares with the saved state now, and keeps or drops the local draft accordingly. */
  settle(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.isReadOnly) return;
    const text = this.#text;
    const differs = this.#differs(text);
    const isDraftKept = differs ? this.#keepDraft(text.html) : this.#dropDraft();
    const isDirty = differs || this.#view.uploads > 0;
    this.#show({ isDirty, isDraftKept, status: this.#restingStatus(isDirty) });
  }

  /**
   * Sends the document. Resolves to the saved idea, or null when it was not saved; the reason is
   * then in the view. A call during a running save waits for that one, which may have begun before
   * the last words: it then saves once more.
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
   * Saves what is unsaved, then publishes what is on the screen and nothing newer; not while
   * something is on its way there.
   */
  async publish(): Promise<PublishOutcome> {
    this.#show({ isPublishing: true });
    const outcome = await this.#publish();
    this.#show({ isPublishing: false });
    return outcome;
  }

  async #publish(): Promise<PublishOutcome> {
    // Typing goes on while a save runs, and what it adds is to be published, too.
    for (this.settle(); this.#saving !== null || this.#view.isDirty; this.settle()) {
      if (this.#view.uploads > 0) return "uploading";
      if ((await this.save()) === null) return "not-saved";
    }
    const { idea } = this.#view;
    if (idea === null) return "not-saved";
    // From here on the screen must not show what the published revision does not have.
    this.#surface.lock();
    this.#show({ isLocked: true });
    const result = await this.#updates.publish(idea.id);
    if ("error" in result) {
      this.#surface.unlock();
      this.#show({ isLocked: false, failure: result.error });
      const { other } = { other: undefined, ...result };
      if (other?.status === "published") return other;
      if (other) this.#ask(other);
      return "failed";
    }
    this.#show({ failure: null, idea: result.idea });
    return "published";
  }

  /** Puts the offered draft on the surface. */
  restore(): void {
    const draft = this.#view.offer;
    if (draft === null) return;
    this.#surface.replace(draft.html);
    // Saving it over what it has never seen is the person's decision, not ours.
    this.#updates.mixIn(draft.baseRevision);
    this.#show({ title: draft.title, titleError: null });
    this.settle();
    this.discard();
  }

  /** Puts an earlier title and text on the surface, as an edit that undo takes back. */
  bringBack(title: string, html: string): void {
    if (this.isReadOnly) return;
    this.#surface.replace(html);
    this.#show({ title, titleError: null });
    this.settle();
  }

  /**
   * Saves the text as an idea of its own, where this one takes it no more; of a published idea,
   * the offered draft. Resolves to the new idea, or null when it was not saved.
   */
  async saveAsNew(): Promise<Idea | null> {
    const draft = this.isReadOnly ? this.#view.offer : null;
    if (draft === null && !this.#hasTitle()) return null;
    const text = draft ?? this.#text;
    this.#show({ isCopying: true });
    const result = await this.#calls.create({
      // The title of a draft cannot be mended here, and must not keep its text from being saved.
      title: text.title.trim() || messages.defaultTitle,
      content: this.#surface.content(text.html),
    });
    this.#show({ isCopying: false });
    if ("error" in result) {
      this.#show({ failure: result.error });
      return null;
    }
    if (draft === null) this.#baseline = text;
    else this.discard(draft);
    this.#show({ failure: null });
    this.settle();
    return result.idea;
  }

  /** Forgets a draft: the offered one, unless another is meant. */
  discard(draft: Draft | null = this.#view.offer): void {
    if (draft !== null) this.#drafts.discard(draft);
    this.#show({ offer: this.#drafts.offer });
  }

  /** Goes on editing with the conflict undecided: the next save asks again. */
  postpone(): void {
    this.#show({ conflict: null });
  }

  /** Decides that this text goes over the other version, once it is saved. */
  preferMine(): void {
    const { conflict } = this.#view;
    if (conflict === null) return;
    this.#updates.base = conflict.other.revision;
    this.#show({ conflict: null });
  }

  /**
   * Keeps this text as a local draft and answers the other version, for a new session to open;
   * null where the browser cannot keep it.
   */
  setAside(): Idea | null {
    const { conflict } = this.#view;
    if (conflict === null) return null;
    this.settle();
    if (!this.#view.isDraftKept) return null;
    this.#show({ conflict: null });
    return conflict.other;
  }

  async #save(): Promise<Idea | null> {
    if (this.isReadOnly || !this.#hasTitle()) return null;
    const { idea } = this.#view;
    const { title, html } = this.#text;
    const body = { title: title.trim(), content: this.#surface.content(html) };
    this.#show({ status: "saving", conflict: null });
    const result: UpdateResult = await (idea === null
      ? this.#calls.create(body)
      : this.#updates.send(idea.id, body));
    if ("error" in result) {
      this.#show({ failure: result.error, status: "failed" });
      this.settle();
      if ("other" in result && result.other) this.#ask(result.other);
      return null;
    }
    this.#dropDraft();
    this.#updates.base = result.idea.revision;
    this.#baseline = { title, html };
    this.#show({ idea: result.idea, failure: null, status: "saved" });
    this.settle();
    return result.idea;
  }

  #hasTitle(): boolean {
    const hasTitle = this.#view.title.trim() !== "";
    if (!hasTitle) this.#show({ titleError: messages.titleRequired });
    return hasTitle;
  }

  /** Shows both versions: this one as it is by now, since typing goes on while a save runs. */
  #ask(other: Idea): void {
    const content = this.#surface.content(this.#surface.text());
    this.#show({ conflict: { mine: { title: this.#view.title, content }, other } });
  }

  /** Something may have changed: say so at once, find out when the typing pauses. */
  #touch(): void {
    if (this.isReadOnly) return;
    if (!this.#view.isDirty && this.#view.status !== "saving") {
      this.#show({ isDirty: true, status: "unsaved" });
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.settle(), SETTLE_MS);
  }

  #restingStatus(isDirty: boolean): SaveStatus {
    const { status, failure, idea } = this.#view;
    if (status === "saving") return status;
    if (isDirty) return failure === null ? "unsaved" : "failed";
    return idea === null ? "new" : "saved";
  }

  get #text(): { title: string; html: string } {
    return { title: this.#view.title, html: this.#surface.text() };
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

  #show(change: Partial<SessionView>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener();
  }
}
