/**
 * Calls of the notification bell, which is in the header of public pages too, and of the
 * unsubscribe page. As in `publicClient`, nothing here throws.
 */
import type { Notice, UnreadNotices } from "./generated";
import { send } from "./http";

export const noticesClient = {
  /** The newest notices, at most that many. */
  list: (limit: number) =>
    send<Notice[]>({ url: "/api/notices", params: { limit }, firstPageOnly: true }),

  countUnread: () => send<UnreadNotices>({ url: "/api/notices/unread" }),

  /** Marks all notices up to this time as read. */
  read: (upTo: string) => send<null>({ url: "/api/notices/read", method: "POST", body: { upTo } }),

  /** Fails with 404 for an unknown token. */
  unsubscribe: (token: string) =>
    send<null>({ url: `/api/unsubscribe/${encodeURIComponent(token)}`, method: "POST" }),
};
