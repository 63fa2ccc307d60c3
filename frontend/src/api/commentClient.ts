/**
 * Calls about the reader's own comments. Separate from `publicClient`, which every public
 * page loads before it shows anything.
 */
import type { Comment } from "./generated";
import { send } from "./http";

const commentUrl = (id: string) => `/api/comments/${encodeURIComponent(id)}`;

export const commentClient = {
  /** Fails with 409 when the comment is older than ten minutes, or withdrawn. */
  edit: (id: string, content: string) =>
    send<Comment>({ url: commentUrl(id), method: "PUT", body: { content } }),

  withdraw: (id: string) => send<Comment>({ url: commentUrl(id), method: "DELETE" }),
};
