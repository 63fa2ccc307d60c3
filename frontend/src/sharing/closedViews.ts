import type { Activity, Share } from "@/api/generated";

/** Returns the ids of the readers who closed the document. Each registration has its own id. */
export const closedReaders = (activity: readonly Activity[]): ReadonlySet<string> =>
  new Set(activity.filter(({ type }) => type === "closed").map(({ recipient }) => recipient.id));

/**
 * Whether the readers of a link have closed all of its counted views. False as long as the activity
 * does not have all of them: it may have been loaded before the link was.
 */
export function areAllViewsClosed(share: Share, activity: readonly Activity[]): boolean {
  const closed = closedReaders(activity);
  const views = activity.filter(({ type, shareId }) => type === "viewed" && shareId === share.id);
  return (
    views.length >= share.viewCount && views.every(({ recipient }) => closed.has(recipient.id))
  );
}

/** Whether the time at which a view ends has come. */
export const isPast = (endsAt: string): boolean => Date.parse(endsAt) <= Date.now();
