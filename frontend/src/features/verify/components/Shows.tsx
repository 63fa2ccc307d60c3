import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { saveBlob } from "@/ui/saveText";
import { formatClockUtc, formatDayUtc } from "@/ui/utcDates";
import type { Bytes } from "@/verify/bytes";
import type { Story, Summary } from "@/verify/report";
import { messages } from "../resultMessages";

const words = messages.shows;

/** Events shown at first. */
const FIRST_EVENTS = 12;

interface ShowsProps {
  summary: Summary;
  /** The report in the file, if it has one. */
  page: Bytes | null;
  /** Whether the reader brought a key. */
  isPinned: boolean;
}

/** Who, what and when, as the file tells it. */
export function Shows({ summary, page, isPinned }: ShowsProps) {
  const { origin, size, vkey, idea, events, unvouched } = summary;
  const save = (page: Bytes) =>
    saveBlob(`report-${idea ?? ""}.html`, new Blob([page], { type: "text/html" }));
  return (
    <div className="mt-6">
      <Panel title={words.title}>
        <Subject story={summary} />
        <dl className="mt-4 flex flex-col gap-3 text-sm">
          <div>
            <dt className="text-muted">{words.log}</dt>
            <dd className="wrap-anywhere">
              {origin} · <span className="tabular-nums">{words.size(size)}</span>
            </dd>
          </div>
          <div>
            <dt className="text-muted">{words.key}</dt>
            <dd>
              <code translate="no" className="break-all font-mono text-xs">
                {vkey}
              </code>
              {!isPinned && <p className="mt-0.5 text-warning">{words.keyHint}</p>}
            </dd>
          </div>
        </dl>
        {page && (
          <div className="mt-5 flex flex-col items-start gap-3 sm:flex-row sm:items-center sm:justify-between sm:gap-6 print:hidden">
            <p className="text-muted text-sm">{words.report}</p>
            <Button variant="secondary" className="shrink-0" onClick={() => save(page)}>
              <Download className="size-4" aria-hidden="true" />
              {words.saveReport}
            </Button>
          </div>
        )}
        <h3 className="mt-5 font-semibold">{words.events}</h3>
        <p className="text-muted text-sm">{words.utc}</p>
        <Events events={events} />
        {unvouched.map((story) => (
          <details key={story.prefix} className="mt-4 rounded-md bg-warning-soft px-3.5 py-2.5">
            <summary className="wrap-anywhere cursor-pointer font-semibold text-sm">
              {words.unvouched(story.origin)}
            </summary>
            <p className="mt-1 text-sm text-warning">{words.unvouchedHint}</p>
            <div className="mt-3">
              <Subject story={story} />
            </div>
            <Events events={story.events} />
          </details>
        ))}
      </Panel>
    </div>
  );
}

function Subject({ story: { title, idea, creator } }: { story: Story }) {
  return (
    <>
      <p className="wrap-anywhere font-semibold font-serif text-lg">
        <bdi>{title ?? (idea && words.idea(idea))}</bdi>
      </p>
      <p className="wrap-anywhere text-muted text-sm">
        {[title && idea && words.idea(idea), creator && words.by(creator)]
          .filter(Boolean)
          .join(" · ")}
      </p>
    </>
  );
}

function Events({ events }: Pick<Story, "events">) {
  const [all, setAll] = useState(false);
  return (
    <>
      <ol className="mt-3 divide-y divide-line border-line border-y text-sm">
        {(all ? events : events.slice(0, FIRST_EVENTS)).map((event, index, shown) => {
          const { place, log, type, at, person, address, version, isUndelivered } = event;
          const day = formatDayUtc(at);
          const before = shown[index - 1];
          return (
            <li key={`${log} ${place}`} className="py-2">
              {(!before || formatDayUtc(before.at) !== day) && (
                <p className="mb-2 font-serif text-base">{day}</p>
              )}
              <div className="flex items-baseline justify-between gap-x-4">
                <span className="wrap-anywhere min-w-0">
                  {person && (
                    <>
                      <strong className="font-semibold">
                        <bdi>{person}</bdi>
                      </strong>
                      {address && (
                        <span className="text-muted">
                          {" "}
                          (<bdi>{address}</bdi>)
                        </span>
                      )}
                      :{" "}
                    </>
                  )}
                  {messages.events[type] ?? type}
                  {version && words.version(version)}
                  {isUndelivered && words.undelivered}
                </span>
                <span className="shrink-0 text-muted tabular-nums">
                  <time dateTime={at}>{formatClockUtc(at)}</time> · {words.place(place, log)}
                </span>
              </div>
            </li>
          );
        })}
      </ol>
      {!all && events.length > FIRST_EVENTS && (
        <Button variant="ghost" size="sm" className="mt-3" onClick={() => setAll(true)}>
          {words.all(events.length)}
        </Button>
      )}
    </>
  );
}
