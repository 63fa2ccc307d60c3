import type { IdeaContent } from "@/api/generated";

/** What a session works on: the part of the screen that holds the content. */
export interface Surface {
  /** The content as text: what drafts keep, and what tells a change. */
  text(): string;
  /** The content to send when that is its text. */
  content(text: string): IdeaContent;
  /** Takes over the text of a draft. */
  replace(text: string): void;
  /** Takes no changes until it is unlocked. */
  lock(): void;
  unlock(): void;
  /** Calls the listener when something may have changed, until the returned function is called. */
  onChange(listener: () => void): () => void;
}

/**
 * Content that is only shown. It goes back to the server as it came, whatever else of the idea
 * changes: rewriting a form that this editor cannot read would destroy it.
 */
export const fixedSurface = (content: IdeaContent): Surface => ({
  text: () => "",
  content: () => content,
  replace: () => undefined,
  lock: () => undefined,
  unlock: () => undefined,
  onChange: () => () => undefined,
});
