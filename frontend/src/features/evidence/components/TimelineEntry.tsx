import { ChevronDown } from "lucide-react";
import { useId, useState } from "react";
import type { EvidenceEvent } from "@/api/evidence";
import { receiptUrl } from "@/sharing/agreement";
import { cx } from "@/ui/cx";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { formatClockUtc } from "@/ui/utcDates";
import { messages } from "../messages";
import { detailsOf, sceneOf } from "../story";
import { Proof } from "./Proof";

interface TimelineEntryProps {
  event: EvidenceEvent;
  isStopped: boolean;
}

const words = messages.timeline;

/** One event: a sentence, with its proof one press away. */
export function TimelineEntry({ event, isStopped }: TimelineEntryProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { Icon, isMajor = false, sentence } = sceneOf(event);
  const details = detailsOf(event);
  return (
    <li className="group relative flex gap-4 pb-5 before:absolute before:top-5 before:-bottom-1 before:left-[1.125rem] before:border-line before:border-l last:pb-0 last:before:hidden print:break-inside-avoid">
      <span
        className={cx(
          "relative flex size-9 shrink-0 items-center justify-center rounded-full ring-4 ring-paper",
          isMajor ? "bg-seal-mark text-white" : "bg-sunken text-muted",
        )}
      >
        <Icon className="size-[1.0625rem]" aria-hidden="true" />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex items-start gap-x-3">
          <div className="min-w-0 flex-1">
            <p className="wrap-anywhere pt-1.5 leading-snug">{sentence}</p>
            <p className="wrap-anywhere mt-0.5 text-muted text-sm">
              <time dateTime={event.at} className="tabular-nums">
                {formatClockUtc(event.at)}
              </time>
              {" · "}
              <Place event={event} isStopped={isStopped} />
              {details.map((detail) => (
                <span key={detail}>
                  {" · "}
                  <bdi>{detail}</bdi>
                </span>
              ))}
              {event.recordedLater && <span title={words.laterHint}> · {words.later}</span>}
              {event.type === "agreement.accepted" && event.recipient && (
                <>
                  {" · "}
                  <a
                    href={receiptUrl(event.recipient)}
                    download
                    className={`${textLinkStyles} print:hidden`}
                  >
                    {words.receipt}
                    {event.name && <span className="sr-only"> of {event.name}</span>}
                  </a>
                </>
              )}
            </p>
          </div>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={() => setOpen(!isOpen)}
            className="inline-flex min-h-11 shrink-0 items-center gap-1 rounded-md px-2 font-medium text-link text-sm hover:bg-sunken md:min-h-9 print:hidden"
          >
            {words.proof}
            <ChevronDown
              className={cx("size-4 transition-transform", isOpen && "rotate-180")}
              aria-hidden="true"
            />
          </button>
        </div>
        {isOpen && (
          <div id={id} className="relative max-sm:-ml-13">
            <Proof event={event} />
          </div>
        )}
      </div>
    </li>
  );
}

function Place({ event: { index }, isStopped }: TimelineEntryProps) {
  if (index !== null) return <span className="tabular-nums">{words.place(index)}</span>;
  return (
    <span className="text-warning">
      {!isStopped && (
        <span className="mr-1.5 inline-block size-2 rounded-full bg-warning motion-safe:animate-pulse" />
      )}
      {isStopped ? words.stopped : words.waiting}
    </span>
  );
}
