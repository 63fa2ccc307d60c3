import type { PublicRecord } from "@/api/generated";
import { levelOf } from "@/evidence/confirmations";
import { Seal } from "@/evidence/Seal";

/** The seal of a public record. */
export function RecordSeal({ record }: { record: PublicRecord }) {
  const { log, publishedAt, ...rest } = record;
  const state = { ...rest, onRecord: true, recordedAt: publishedAt };
  return <Seal level={levelOf(state)} className="w-full motion-safe:animate-seal-in" />;
}
