import { Check } from "lucide-react";
import { cx } from "@/ui/cx";

const steps = ["Your details", "Agreement", "Document"] as const;

/** Progress towards the document; `current` counts from 0. */
export function Steps({ current }: { current: 0 | 1 | 2 }) {
  return (
    <ol
      aria-label="Progress"
      className="flex flex-wrap items-center gap-2 text-sm sm:gap-3 print:hidden"
    >
      {steps.map((label, index) => (
        <li
          key={label}
          aria-current={index === current ? "step" : undefined}
          className={cx(
            "relative flex items-center gap-2 sm:gap-3",
            index === current ? "font-semibold text-ink" : "text-muted",
          )}
        >
          {index > 0 && <span className="h-px w-5 shrink-0 bg-line-strong sm:w-8" />}
          <span
            className={cx(
              "inline-flex size-7 shrink-0 items-center justify-center rounded-full border text-xs tabular-nums",
              index <= current ? "border-seal bg-seal-soft text-seal" : "border-line-strong",
            )}
          >
            {index < current ? <Check className="size-4" aria-hidden="true" /> : index + 1}
          </span>
          <span
            className={cx(
              "whitespace-nowrap",
              index !== current && "sr-only sm:not-sr-only sm:whitespace-nowrap",
            )}
          >
            {label}
            {index < current && <span className="sr-only"> (done)</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}
