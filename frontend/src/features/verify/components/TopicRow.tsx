import { Check, CircleHelp, Slash, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { cx } from "@/ui/cx";
import { Spinner } from "@/ui/Spinner";
import type { Claim, Topic } from "@/verify/report";
import { messages } from "../resultMessages";
import type { Tally } from "../tally";
import { Command } from "./Command";

/** Claims of one outcome that are shown. */
const SHOWN = 100;
/** Commands that are shown of those that decide one question. */
const SHOWN_COMMANDS = 2;

const words = messages.claims;

interface TopicRowProps {
  topic: Topic;
  tally: Tally;
  isDone: boolean;
  isRunning: boolean;
}

type Outcome = "holds" | "fails" | "unknown" | "none" | "waiting";

const looks: Record<Outcome, { style: string; icon: ReactNode }> = {
  holds: { style: "bg-success-soft text-success", icon: <Check className="size-5" /> },
  fails: { style: "bg-danger-soft text-danger", icon: <X className="size-5" /> },
  unknown: { style: "bg-warning-soft text-warning", icon: <CircleHelp className="size-5" /> },
  none: { style: "bg-sunken text-muted", icon: <Slash className="size-5" /> },
  waiting: { style: "bg-sunken text-muted", icon: null },
};

/** The claims on one topic: their common result, and each of them. */
export function TopicRow({ topic, tally, isDone, isRunning }: TopicRowProps) {
  const [title, explanation] = messages.topics[topic];
  const outcome = outcomeOf(topic, tally, isDone);
  const { style, icon } = looks[outcome];
  const { holds, fails, unknown } = tally;
  const count = holds.length + fails.length + unknown.length;
  return (
    <li className="px-4 py-4 sm:px-6" data-outcome={outcome}>
      <div className="flex items-start gap-4">
        <span
          className={cx("flex size-9 shrink-0 items-center justify-center rounded-full", style)}
          aria-hidden="true"
        >
          {isRunning && outcome !== "fails" ? <Spinner className="size-5" /> : icon}
        </span>
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4">
            <h3 className="font-semibold font-serif text-lg leading-snug">{title}</h3>
            <p className={cx("font-semibold text-sm", colour[outcome])}>{words[outcome]}</p>
          </div>
          <p className="mt-0.5 text-muted text-sm">{explanation}</p>
          {outcome === "fails" && (
            <p className="mt-2 font-medium text-danger">{messages.meanings[topic]}</p>
          )}
          <Lines claims={fails} />
          <Unknown claims={unknown} />
          {count > 0 && <Each holds={holds} summary={summaryOf(tally)} />}
        </div>
      </div>
    </li>
  );
}

const colour: Record<Outcome, string> = {
  holds: "text-success",
  fails: "text-danger",
  unknown: "text-warning",
  none: "text-muted",
  waiting: "text-muted",
};

function outcomeOf(topic: Topic, { holds, fails, unknown }: Tally, isDone: boolean): Outcome {
  if (fails.length > 0) return "fails";
  // The key of one log does not vouch for that of another, nor one right time for the others.
  if ((topic === "key" || topic === "event") && unknown.length > 0) return "unknown";
  // Something withheld does not take away from what holds.
  if (holds.length > 0) return "holds";
  if (unknown.length > 0) return "unknown";
  return isDone ? "none" : "waiting";
}

const summaryOf = ({ holds, fails, unknown }: Tally): string =>
  [
    words.checked(holds.length + fails.length),
    ...(fails.length > 0 ? [words.failed(fails.length)] : []),
    ...(unknown.length > 0 ? [words.open(unknown.length)] : []),
  ].join(" · ");

/** False claims, always in sight. */
function Lines({ claims }: { claims: readonly Claim[] }) {
  if (claims.length === 0) return null;
  return (
    <ul className="mt-3 flex flex-col gap-2">
      {claims.slice(0, SHOWN).map(({ subject, outcome }, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: claims are only ever added at the end.
          key={index}
          className="wrap-anywhere rounded-md border border-danger bg-danger-soft px-3 py-2 text-sm"
        >
          <code translate="no" className="font-mono text-xs">
            {subject}
          </code>
          <p className="text-danger">
            <span className="font-semibold">{words.fails}: </span>
            {outcome.kind === "fails" && outcome.reason}
          </p>
        </li>
      ))}
    </ul>
  );
}

/** Questions that cannot be decided here, once for each reason, with the command that decides. */
function Unknown({ claims }: { claims: readonly Claim[] }) {
  const reasons = new Map<string, Claim[]>();
  for (const claim of claims) {
    const { outcome } = claim;
    if (outcome.kind !== "unknown") continue;
    reasons.set(outcome.reason, [...(reasons.get(outcome.reason) ?? []), claim]);
  }
  return [...reasons].slice(0, SHOWN).map(([reason, claims]) => {
    const commands = claims.flatMap(({ outcome }) =>
      outcome.kind === "unknown" && outcome.command ? [outcome.command] : [],
    );
    return (
      <div key={reason} className="wrap-anywhere mt-3 rounded-md bg-warning-soft px-3 py-2 text-sm">
        <p>
          <span className="font-semibold text-warning">{words.unknown}: </span>
          {reason}
        </p>
        <p className="mt-0.5 text-muted text-xs">
          {claims
            .slice(0, 5)
            .map(({ subject }) => subject)
            .join(", ")}
          {claims.length > 5 && ", …"}
        </p>
        {commands.slice(0, SHOWN_COMMANDS).map((command) => (
          <Command key={command} text={command} />
        ))}
        {commands.length > SHOWN_COMMANDS && (
          <p className="mt-1.5 text-muted text-xs">
            {words.alike(commands.length - SHOWN_COMMANDS)}
          </p>
        )}
      </div>
    );
  });
}

interface EachProps {
  holds: readonly Claim[];
  summary: string;
}

/** The claims that hold, which are rarely read one by one. */
function Each({ holds, summary }: EachProps) {
  const [isOpen, setOpen] = useState(false);
  if (holds.length === 0) return null;
  return (
    <details
      className="mt-1 text-sm print:hidden"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="inline-block min-h-11 cursor-pointer content-center text-muted md:min-h-8">
        {words.lines} <span className="tabular-nums">({summary})</span>
      </summary>
      {isOpen && (
        <ul className="mt-1 flex flex-col gap-1.5">
          {holds.slice(0, SHOWN).map(({ subject, note }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: claims are only ever added at the end.
            <li key={index} className="wrap-anywhere flex gap-2">
              <Check className="mt-1 size-3.5 shrink-0 text-success" aria-hidden="true" />
              <span>
                <code translate="no" className="font-mono text-xs">
                  {subject}
                </code>
                <span className="sr-only">: {words.holds}</span>
                {note && <span className="text-muted"> {note}</span>}
              </span>
            </li>
          ))}
          {holds.length > SHOWN && (
            <li className="text-muted">{words.more(holds.length - SHOWN)}</li>
          )}
        </ul>
      )}
    </details>
  );
}
