import { useId } from "react";
import type { EvidenceEvent } from "@/api/evidence";
import { Button } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import { LoadFailure } from "@/ui/LoadFailure";
import { formatDayUtc } from "@/ui/utcDates";
import { messages } from "../messages";
import { TimelineEntry } from "./TimelineEntry";

/** The pages of events that are not loaded yet. */
export interface MoreEvents {
  exists: boolean;
  isLoading: boolean;
  isFailed: boolean;
  load: () => unknown;
}

interface TimelineProps {
  events: readonly EvidenceEvent[];
  isStopped: boolean;
  more: MoreEvents;
}

const words = messages.timeline;

/** What happened to the idea, by days, newest first. */
export function Timeline({ events, isStopped, more }: TimelineProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h2 id={id} className="font-semibold font-serif text-2xl">
        {words.title}
      </h2>
      {events.length === 0 ? (
        <div className="mt-5">
          <EmptyState title={words.empty} hint={words.emptyHint} />
        </div>
      ) : (
        <p className="mt-1 text-muted text-sm">{words.utc}</p>
      )}
      {daysOf(events).map(({ day, events }) => (
        <section key={day} aria-label={day} className="mt-7">
          <h3 className="mb-3 flex items-center gap-4 font-serif text-lg print:break-after-avoid">
            {day}
            <span className="flex-1 border-line border-t" />
          </h3>
          <ol>
            {events.map((event) => (
              <TimelineEntry key={event.digest} event={event} isStopped={isStopped} />
            ))}
          </ol>
        </section>
      ))}
      {more.isFailed && (
        <div className="mt-6">
          <LoadFailure text={messages.moreFailed} busy={more.isLoading} onRetry={more.load} />
        </div>
      )}
      {more.exists && !more.isFailed && (
        <Button
          variant="secondary"
          className="mt-6 w-full print:hidden"
          busy={more.isLoading}
          onClick={more.load}
        >
          {words.more}
        </Button>
      )}
    </section>
  );
}

interface Day {
  day: string;
  events: EvidenceEvent[];
}

/** Groups events, which are in order, by the day in UTC. */
function daysOf(events: readonly EvidenceEvent[]): Day[] {
  const days: Day[] = [];
  for (const event of events) {
    const day = formatDayUtc(event.at);
    const last = days.at(-1);
    if (last?.day === day) last.events.push(event);
    else days.push({ day, events: [event] });
  }
  return days;
}
