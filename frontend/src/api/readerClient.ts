/**
 * The calls of what stands around an open document. Apart from `publicClient`, which every public
 * page loads before it shows anything.
 */
import type { Comment } from "./generated";
import { send } from "./http";

const commentUrl = (id: string) => `/api/comments/${encodeURIComponent(id)}`;

export const readerClient = {
  /** A comment that is older than ten minutes, or withdrawn, is a 409. */
  editComment: (id: string, content: string) =>
    send<Comment>({ url: commentUrl(id), method: "PUT", body: { content } }),

  withdrawComment: (id: string) => send<Comment>({ url: commentUrl(id), method: "DELETE" }),
};
