/**
 * Calls of the panels around an open document. Separate from `publicClient`, which every public
 * page loads before it shows anything.
 */
import type { Comment } from "./generated";
import { send } from "./http";

const commentUrl = (id: string) => `/api/comments/${encodeURIComponent(id)}`;

export const readerClient = {
  /** Fails with 409 when the comment is older than ten minutes, or withdrawn. */
  editComment: (id: string, content: string) =>
    send<Comment>({ url: commentUrl(id), method: "PUT", body: { content } }),

  withdrawComment: (id: string) => send<Comment>({ url: commentUrl(id), method: "DELETE" }),
};
