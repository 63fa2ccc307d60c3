import type { Activity } from "@/api/generated";

/** Stages of a recipient, in order. */
const STAGES = ["registered", "declined", "agreed", "viewed", "closed"] as const;
type Stage = (typeof STAGES)[number];

/** A recipient and the stage they have reached. */
export interface RecipientRecord {
  readonly recipient: Activity["recipient"];
  readonly shareType: Activity["shareType"];
  readonly stage: Stage;
  /** When they reached that stage. */
  readonly since: string;
}

/**
 * Returns all recipients in an activity ordered newest first; the most recently active one comes
 * first.
 */
export function recipientsOf(activity: readonly Activity[]): RecipientRecord[] {
  const records = new Map<string, RecipientRecord>();
  for (const { recipient, shareType, type, at } of activity) {
    const known = records.get(recipient.id);
    // Not every activity changes the stage.
    const stage = STAGES.find((stage) => stage === type);
    if (stage && (!known || STAGES.indexOf(stage) > STAGES.indexOf(known.stage))) {
      records.set(recipient.id, { recipient, shareType, stage, since: at });
    }
  }
  return [...records.values()];
}
