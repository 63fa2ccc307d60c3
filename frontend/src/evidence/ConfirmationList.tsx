import type { Evidence } from "@/api/evidence";
import { cx } from "@/ui/cx";
import { type Confirmation, confirmationsOf } from "./confirmations";
import { messages } from "./messages";

const marks: Record<Confirmation["state"], string> = {
  reached: "border-seal-mark bg-seal-mark text-white",
  waiting: "border-seal border-dashed bg-surface text-seal",
  open: "border-line-strong bg-surface text-line-strong",
};

/** Who vouches for the time, from this server to Bitcoin. */
export function ConfirmationList({ evidence }: { evidence: Evidence }) {
  return (
    <ol aria-label={messages.confirmations.title}>
      {confirmationsOf(evidence).map(({ step, state, title, notes }) => (
        <li
          key={step}
          data-state={state}
          className="relative flex gap-4 pb-5 before:absolute before:top-8 before:bottom-0 before:left-[0.8125rem] before:border-line-strong before:border-l last:pb-0 last:before:hidden"
        >
          <span
            className={cx(
              "mt-0.5 flex size-[1.6875rem] shrink-0 [print-color-adjust:exact] items-center justify-center rounded-full border-[1.5px]",
              marks[state],
            )}
          >
            <Mark state={state} />
          </span>
          <div className="wrap-anywhere min-w-0">
            <p
              className={cx(
                "font-semibold font-serif text-lg leading-snug",
                state === "open" && "text-muted",
              )}
            >
              {title}
            </p>
            {notes.map((note) => (
              <p key={note} className="mt-0.5 text-muted text-sm tabular-nums">
                {note}
              </p>
            ))}
          </div>
        </li>
      ))}
    </ol>
  );
}

function Mark({ state }: { state: Confirmation["state"] }) {
  if (state === "open") return null;
  return (
    <svg viewBox="0 0 16 16" className="size-4 fill-none stroke-current" aria-hidden="true">
      {state === "reached" ? (
        <path
          d="m3.5 8.4 3 3 6-6.6"
          strokeWidth="1.9"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      ) : (
        <path d="M8 4.2V8l2.6 1.7" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round" />
      )}
    </svg>
  );
}
