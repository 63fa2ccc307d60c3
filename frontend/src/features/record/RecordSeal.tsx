import type { PublicRecord } from "@/api/generated";
import { reachedOf } from "@/evidence/ladder";
import { Seal } from "@/evidence/Seal";

/** The seal with the state that the record has reached. */
export function RecordSeal({ record }: { record: PublicRecord }) {
  const { log, publishedAt, ...rest } = record;
  const state = { ...rest, onRecord: true, recordedAt: publishedAt };
  return <Seal reached={reachedOf(state)} className="w-full motion-safe:animate-seal-in" />;
}
