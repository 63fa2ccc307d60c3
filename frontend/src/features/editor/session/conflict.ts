import type { Idea, IdeaContent } from "@/api/generated";

/** Title and content of an idea, saved or not. */
export interface Version {
  readonly title: string;
  readonly content: IdeaContent;
}

/** Two versions of one idea, neither of which was made from the other. */
export interface Conflict {
  /** The unsaved version on this page. */
  readonly mine: Version;
  /** The version saved meanwhile, in another tab or on another device. */
  readonly other: Idea;
}

/**
 * Whether two versions have the same content. Compares JSON: both come from one server, which keeps
 * the order of keys.
 */
export const sameContent = (a: Version, b: Version): boolean =>
  JSON.stringify(a.content) === JSON.stringify(b.content);

/** Whether two versions have the same title and content. */
export const sameVersion = (a: Version, b: Version): boolean =>
  a.title === b.title && sameContent(a, b);
