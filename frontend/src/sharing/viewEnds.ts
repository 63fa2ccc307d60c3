import type { Activity, Share } from "@/api/generated";

/** When recipients last closed the document, by their ids. Each registration has its own id. */
export type Closings = ReadonlyMap<string, string>;

/** Returns the closings of an activity, which is newest first. */
export const lastClosings = (activity: readonly Activity[]): Closings =>
  new Map(
    activity
      .filter(({ type }) => type === "closed")
      .reverse()
      .map(({ recipient, at }) => [recipient.id, at]),
  );

/** Whether the recipient of a view has closed the document since that view began. */
export const isClosed = ({ recipient, at }: Activity, closings: Closings): boolean =>
  (closings.get(recipient.id) ?? "") >= at;

/**
 * Whether the recipients of a share have closed all of its counted views. False as long as the activity
 * does not have all of them: it may have been loaded before the share was.
 */
export function areAllViewsClosed(share: Share, activity: readonly Activity[]): boolean {
  const closings = lastClosings(activity);
  const views = activity.filter(({ type, shareId }) => type === "viewed" && shareId === share.id);
  return views.length >= share.viewCount && views.every((view) => isClosed(view, closings));
}

/** Whether the time at which a view ends has come. */
export const isPast = (endsAt: string): boolean => Date.parse(endsAt) <= Date.now();
