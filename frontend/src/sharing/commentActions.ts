/**
 * Result of an action on a comment: true; the server's message or false when it was refused;
 * null when it closed the screen, which says why.
 */
export type CommentOutcome = boolean | string | null;

/** Actions on comments. */
export interface CommentActions {
  answer: (replyTo: string, text: string) => Promise<CommentOutcome>;
  edit: (id: string, text: string) => Promise<CommentOutcome>;
  withdraw: (id: string) => Promise<CommentOutcome>;
}
