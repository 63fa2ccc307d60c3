import type { IdeaContent } from "@/api/generated";

/** The content that a session edits, independent of the editor behind it. */
export interface DocumentAdapter {
  /** The content as text, for drafts and for detecting changes. */
  text(): string;
  /** Converts such a text into the content that the server stores. */
  content(text: string): IdeaContent;
  /** Replaces the content with a text. */
  replace(text: string): void;
  /** Refuses changes until `unlock`. */
  lock(): void;
  unlock(): void;
  /** Calls the listener after each possible change; the returned function unsubscribes. */
  onChange(listener: () => void): () => void;
}

/**
 * Adapter for read-only content. It is sent back unchanged when the title is saved: rewriting a
 * format that this editor cannot read would destroy it.
 */
export const fixedAdapter = (content: IdeaContent): DocumentAdapter => ({
  text: () => "",
  content: () => content,
  replace: () => undefined,
  lock: () => undefined,
  unlock: () => undefined,
  onChange: () => () => undefined,
});
