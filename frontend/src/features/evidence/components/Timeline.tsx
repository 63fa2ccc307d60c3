import { useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { EvidenceEvent } from "@/api/evidence";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { EmptyState } from "@/ui/EmptyState";
import { LoadFailure } from "@/ui/LoadFailure";
import { formatDayUtc } from "@/ui/utcDates";
import { messages } from "../messages";
import { Figures } from "./Figures";
import { TimelineEntry } from "./TimelineEntry";

/** Events shown at first where the window has one column. */
const FIRST_EVENTS = 12;

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

/** Events of the idea by days, newest first. */
export function Timeline({ events, isStopped, more }: TimelineProps) {
  const id = useId();
  const section = useRef<HTMLElement>(null);
  const [isWhole, setWhole] = useState(events.length <= FIRST_EVENTS);
  const showAll = () => {
    flushSync(() => setWhole(true));
    // The button has gone, and the focus with it.
    section.current?.querySelectorAll<HTMLElement>("[aria-expanded]")[FIRST_EVENTS]?.focus();
  };
  const days = daysOf(events);
  return (
    <section ref={section} aria-labelledby={id} className="min-w-0 lg:row-span-2">
      <h2 id={id} className="font-semibold font-serif text-2xl print:break-after-avoid">
        {words.title}
      </h2>
      {events.length === 0 ? (
        <div className="mt-5">
          <EmptyState title={words.empty} hint={words.emptyHint} />
        </div>
      ) : (
        <>
          {!more.exists && <Figures events={events} />}
          <p className="mt-3 text-muted text-sm">{words.utc}</p>
        </>
      )}
      {days.map(({ day, first, events }) => (
        <section
          key={day}
          aria-label={day}
          className={cx("mt-6", !isWhole && first >= FIRST_EVENTS && hiddenStyles)}
        >
          <h3 className="mb-3 flex items-center gap-4 font-serif text-lg print:break-after-avoid">
            {day}
            <span className="flex-1 border-line border-t" />
          </h3>
          <ol>
            {events.map((event, index) => (
              <TimelineEntry
                key={event.digest}
                event={event}
                isStopped={isStopped}
                className={!isWhole && first + index >= FIRST_EVENTS ? hiddenStyles : undefined}
              />
            ))}
          </ol>
        </section>
      ))}
      {!isWhole && (
        <Button
          variant="secondary"
          className="mt-4 w-full lg:hidden print:hidden"
          onClick={showAll}
        >
          {words.all(events.length)}
        </Button>
      )}
      {more.exists && <p className="mt-6 hidden text-sm print:block">{words.notPrinted}</p>}
      {more.isFailed && (
        <div className="mt-6">
          <LoadFailure text={messages.moreFailed} busy={more.isLoading} onRetry={more.load} />
        </div>
      )}
      {more.exists && !more.isFailed && (
        <Button
          variant="secondary"
          className={cx("mt-6 w-full print:hidden", !isWhole && "max-lg:hidden")}
          busy={more.isLoading}
          onClick={more.load}
        >
          {words.more}
        </Button>
      )}
    </section>
  );
}

/** On paper everything is there. */
const hiddenStyles = "max-lg:not-print:hidden";

interface Day {
  day: string;
  /** Number of its first event. */
  first: number;
  events: EvidenceEvent[];
}

/** Groups events, which are in order, by the day in UTC. */
function daysOf(events: readonly EvidenceEvent[]): Day[] {
  const days: Day[] = [];
  for (const [first, event] of events.entries()) {
    const day = formatDayUtc(event.at);
    const last = days.at(-1);
    if (last?.day === day) last.events.push(event);
    else days.push({ day, first, events: [event] });
  }
  return days;
}
