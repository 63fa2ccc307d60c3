import { type Claim, type Report, type Topic, topics } from "@/verify/report";

/** The claims on one topic. */
export interface Tally {
  readonly holds: readonly Claim[];
  readonly fails: readonly Claim[];
  readonly unknown: readonly Claim[];
}

export type Tallies = Readonly<Record<Topic, Tally>>;

/** Sorts claims by topic and outcome. */
export function tally(claims: readonly Claim[]): Tallies {
  const sorted = Object.fromEntries(
    topics.map((topic) => [topic, { holds: [], fails: [], unknown: [] }]),
  ) as unknown as Record<Topic, Record<keyof Tally, Claim[]>>;
  for (const claim of claims) sorted[claim.topic][claim.outcome.kind].push(claim);
  return sorted;
}

/** What a check found besides its claims. */
export type Findings = Omit<Report, "claims">;

/** Where a check is. */
export type CheckState =
  | { phase: "idle" }
  | ({
      phase: "checking" | "done";
      fileName: string;
      tallies: Tallies;
      count: number;
    } & Findings)
  | { phase: "refused"; fileName: string; reason: string };
