import { ChevronDown } from "lucide-react";
import { useId, useState } from "react";
import type { EvidenceEvent } from "@/api/evidence";
import { receiptUrl } from "@/sharing/agreement";
import { cx } from "@/ui/cx";
import { textLinkStyles } from "@/ui/textLinkStyles";
import { formatClockUtc } from "@/ui/utcDates";
import { describeEvent, detailsOf } from "../describeEvent";
import { messages } from "../messages";
import { Proof } from "./Proof";

interface TimelineEntryProps {
  event: EvidenceEvent;
  isStopped: boolean;
  className?: string | undefined;
}

const words = messages.timeline;

/**
 * One event: a sentence, with its proof one press away. Major events stand out; the steps between
 * take one line.
 */
export function TimelineEntry({ event, isStopped, className }: TimelineEntryProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { Icon, isMajor = false, sentence } = describeEvent(event);
  return (
    <li
      className={cx(
        "relative flex gap-4 before:absolute before:top-5 before:-bottom-1 before:left-[1.125rem] before:border-line before:border-l last:before:hidden",
        !isOpen && "print:break-inside-avoid",
        isMajor ? "pt-2 pb-3" : "pb-1",
        className,
      )}
    >
      <span className={cx("relative flex w-9 shrink-0 justify-center", isMajor ? "h-9" : "h-10")}>
        <span
          className={cx(
            "flex shrink-0 items-center justify-center self-center rounded-full ring-4 ring-paper [print-color-adjust:exact] print:ring-white",
            isMajor ? "size-9 bg-seal-mark text-white" : "size-6 bg-sunken text-muted",
          )}
        >
          <Icon className={isMajor ? "size-[1.0625rem]" : "size-3.5"} aria-hidden="true" />
        </span>
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex items-start gap-x-3">
          <div
            className={cx(
              "min-w-0 flex-1",
              !isMajor && "gap-x-4 pt-2.5 text-sm sm:flex sm:items-baseline sm:justify-between",
            )}
          >
            <p
              className={cx(
                "wrap-anywhere min-w-0",
                isMajor && "pt-1 font-serif text-lg leading-snug",
              )}
            >
              {sentence}
            </p>
            <Facts event={event} isStopped={isStopped} isMajor={isMajor} />
          </div>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={() => setOpen(!isOpen)}
            className="inline-flex min-h-11 shrink-0 items-center gap-1 rounded-md px-2 font-medium text-link text-sm hover:bg-sunken md:min-h-10 print:hidden"
          >
            {words.proof}
            <ChevronDown
              className={cx("size-4 transition-transform", isOpen && "rotate-180")}
              aria-hidden="true"
            />
          </button>
        </div>
        <code translate="no" className="hidden break-all font-mono text-muted text-xs print:block">
          SHA-256 {event.digest}
        </code>
        {isOpen && (
          <div id={id} className="relative max-sm:-ml-13">
            <Proof event={event} />
          </div>
        )}
      </div>
    </li>
  );
}

/** When it happened, its place in the log, and what else is known. */
function Facts({ event, isStopped, isMajor }: TimelineEntryProps & { isMajor: boolean }) {
  const details = detailsOf(event);
  return (
    <p
      className={cx(
        "wrap-anywhere text-muted text-sm",
        isMajor ? "mt-0.5" : "sm:max-w-[55%] sm:text-right",
      )}
    >
      {details.map((detail) => (
        <span key={detail}>
          <bdi>{detail}</bdi>
          {" · "}
        </span>
      ))}
      <span className={cx(event.index !== null && "whitespace-nowrap")}>
        <time dateTime={event.at} className="tabular-nums">
          {formatClockUtc(event.at)}
        </time>
        {" · "}
        <Place event={event} isStopped={isStopped} />
      </span>
      {/* Erased together with its reader, unless accepted agreements were kept. */}
      {event.type === "agreement.accepted" && event.recipient && hasReceipt(event) && (
        <span className="print:hidden">
          {" · "}
          <a href={receiptUrl(event.recipient)} download className={textLinkStyles}>
            {words.receipt}
            {event.name && <span className="sr-only"> of {event.name}</span>}
          </a>
        </span>
      )}
    </p>
  );
}

const hasReceipt = ({ name, facts }: EvidenceEvent) => name !== null || facts.terms !== undefined;

function Place({ event: { index }, isStopped }: TimelineEntryProps) {
  if (index !== null) {
    return <span className="tabular-nums">{words.place(index)}</span>;
  }
  return (
    <span className="text-warning">
      {!isStopped && <span className="mr-1.5 inline-block size-2 rounded-full bg-warning" />}
      {isStopped ? words.stopped : words.waiting}
    </span>
  );
}
