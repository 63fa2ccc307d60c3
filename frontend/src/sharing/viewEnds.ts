import type { Activity, Share } from "@/api/generated";

/** Returns the ids of the recipients who closed the document. Each registration has its own id. */
export const closedRecipients = (activity: readonly Activity[]): ReadonlySet<string> =>
  new Set(activity.filter(({ type }) => type === "closed").map(({ recipient }) => recipient.id));

/**
 * Whether the recipients of a share have closed all of its counted views. False as long as the activity
 * does not have all of them: it may have been loaded before the share was.
 */
export function areAllViewsClosed(share: Share, activity: readonly Activity[]): boolean {
  const closed = closedRecipients(activity);
  const views = activity.filter(({ type, shareId }) => type === "viewed" && shareId === share.id);
  return (
    views.length >= share.viewCount && views.every(({ recipient }) => closed.has(recipient.id))
  );
}

/** Whether the time at which a view ends has come. */
export const isPast = (endsAt: string): boolean => Date.parse(endsAt) <= Date.now();
