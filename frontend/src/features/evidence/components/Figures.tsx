import type { EvidenceEvent } from "@/api/evidence";
import { cx } from "@/ui/cx";
import { messages } from "../messages";

/** The counts, in order, each with its words for one and for several. */
const counted = Object.entries(messages.figures);

/** Counts of the major events; for all events of an idea, never for a part. */
export function Figures({ events }: { events: readonly EvidenceEvent[] }) {
  const figures = counted.flatMap(([type, [one, several]]) => {
    const count = events.filter((event) => event.type === type).length;
    return count === 0 ? [] : [{ type, count, name: count === 1 ? one : several }];
  });
  if (figures.length === 0) return null;
  return (
    <dl
      className={cx(
        "mt-4 grid gap-x-4 gap-y-3 border-line border-y py-4 sm:flex sm:gap-x-8 print:break-before-avoid",
        // The fourth one would stand alone.
        figures.length === 4 ? "grid-cols-2" : "grid-cols-3",
      )}
    >
      {figures.map(({ type, count, name }) => (
        <div key={type} className="flex flex-col-reverse justify-end">
          <dt className="text-muted text-sm">{name}</dt>
          <dd className="font-semibold font-serif text-2xl tabular-nums">
            {count.toLocaleString("en")}
          </dd>
        </div>
      ))}
    </dl>
  );
}
