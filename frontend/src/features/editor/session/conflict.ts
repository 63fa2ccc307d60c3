import type { Idea, IdeaContent } from "@/api/generated";

/** What an idea says, saved or not. */
export interface Version {
  readonly title: string;
  readonly content: IdeaContent;
}

/** Two versions of one idea that do not know of each other. */
export interface Conflict {
  /** On this page, not saved. */
  readonly mine: Version;
  /** Saved meanwhile, in another tab or on another device. */
  readonly other: Idea;
}

/** Whether two versions have the same content. Objects come from one server, in one order. */
export const sameContent = (a: Version, b: Version): boolean =>
  JSON.stringify(a.content) === JSON.stringify(b.content);

/** Whether two versions say the same. */
export const says = (a: Version, b: Version): boolean => a.title === b.title && sameContent(a, b);
