/**
 * The calls of the bell, which stands in the header of public pages too, and of the page that stops
 * mails. As in `publicClient`, nothing here throws.
 */
import type { Notice, UnreadNotices } from "./generated";
import { send } from "./http";

export const noticesClient = {
  list: (limit: number) => send<Notice[]>({ url: "/api/notices", params: { limit } }),

  countUnread: () => send<UnreadNotices>({ url: "/api/notices/unread" }),

  /** Marks what happened until then as read. */
  read: (upTo: string) => send<null>({ url: "/api/notices/read", method: "POST", body: { upTo } }),

  /** A token that no mail had is a 404. */
  unsubscribe: (token: string) =>
    send<null>({ url: `/api/unsubscribe/${encodeURIComponent(token)}`, method: "POST" }),
};
