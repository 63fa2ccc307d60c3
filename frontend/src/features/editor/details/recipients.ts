import type { Activity } from "@/api/generated";

/** How far someone came with a link, in this order. */
const STAGES = ["registered", "declined", "agreed", "viewed", "closed"] as const;
type Stage = (typeof STAGES)[number];

/** Someone who opened a link, and how far they came. */
export interface RecipientRecord {
  readonly recipient: Activity["recipient"];
  readonly shareType: Activity["shareType"];
  readonly stage: Stage;
  /** When they came that far. */
  readonly since: string;
}

/** Everyone in an activity that comes newest first; who did something last is first here, too. */
export function recipientsOf(activity: readonly Activity[]): RecipientRecord[] {
  const records = new Map<string, RecipientRecord>();
  for (const { recipient, shareType, type, at } of activity) {
    const known = records.get(recipient.id);
    // Not all that somebody does brings them further.
    const stage = STAGES.find((stage) => stage === type);
    if (stage && (!known || STAGES.indexOf(stage) > STAGES.indexOf(known.stage))) {
      records.set(recipient.id, { recipient, shareType, stage, since: at });
    }
  }
  return [...records.values()];
}
