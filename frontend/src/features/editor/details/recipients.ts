import type { Activity } from "@/api/generated";

/** How far someone came with a link, in this order. */
const STAGES = ["registered", "agreed", "viewed", "closed"] as const;

/** Someone who opened a link, and how far they came. */
export interface RecipientRecord {
  readonly recipient: Activity["recipient"];
  readonly shareType: Activity["shareType"];
  readonly stage: Activity["type"];
  /** When they came that far. */
  readonly since: string;
}

/** Everyone in an activity that comes newest first; who did something last is first here, too. */
export function recipientsOf(activity: readonly Activity[]): RecipientRecord[] {
  const records = new Map<string, RecipientRecord>();
  for (const { recipient, shareType, type, at } of activity) {
    const known = records.get(recipient.id);
    if (known === undefined || STAGES.indexOf(type) > STAGES.indexOf(known.stage)) {
      records.set(recipient.id, { recipient, shareType, stage: type, since: at });
    }
  }
  return [...records.values()];
}
