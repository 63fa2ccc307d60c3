import { useMemo, useRef, useState } from "react";
import { Button } from "@/ui/Button";
import { compare, type Run, runsOf } from "./compare";

/** Texts of a comparison. */
export const comparisonMessages = {
  sameWords: "The words are the same; only formatting, the title or images may differ.",
  tooDifferent: "These versions differ too much to be compared here.",
  count: (changes: number) => (changes === 1 ? "1 change" : `${changes} changes`),
  place: (change: number, changes: number) => `Change ${change} of ${changes}`,
  previous: "Previous change",
  next: "Next change",
  unchanged: (lines: number) => `Show ${lines} unchanged lines`,
} as const;

/** Unchanged lines that are shown beside a change, and the fewest that are worth folding. */
const CONTEXT = 2;
const FOLDED = 4;

interface WordChangesProps {
  /** Plain text of the version before. */
  from: string;
  /** Plain text of the version after. */
  to: string;
}

/** A text with the words that were removed and added. */
export function WordChanges({ from, to }: WordChangesProps) {
  const pieces = useMemo(() => compare(from, to), [from, to]);
  if (pieces === null) return <p className="text-muted">{comparisonMessages.tooDifferent}</p>;
  const runs = runsOf(pieces);
  if (!runs.some(({ isChange }) => isChange)) {
    return <p className="text-muted">{comparisonMessages.sameWords}</p>;
  }
  return <Changes key={`${from}\n${to}`} runs={runs} />;
}

function Changes({ runs }: { runs: readonly Run[] }) {
  const text = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const count = runs.filter(({ isChange }) => isChange).length;
  const go = (to: number) => {
    setAt(to);
    const change = text.current?.querySelectorAll<HTMLElement>("[data-change]")[to - 1];
    change?.scrollIntoView({ block: "center" });
    change?.focus({ preventScroll: true });
  };
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <p aria-live="polite" className="text-muted text-sm tabular-nums">
          {at === 0 ? comparisonMessages.count(count) : comparisonMessages.place(at, count)}
        </p>
        <Button variant="secondary" size="sm" disabled={at <= 1} onClick={() => go(at - 1)}>
          {comparisonMessages.previous}
        </Button>
        <Button variant="secondary" size="sm" disabled={at >= count} onClick={() => go(at + 1)}>
          {comparisonMessages.next}
        </Button>
      </div>
      <div
        ref={text}
        className="wrap-anywhere whitespace-pre-wrap font-serif leading-relaxed"
        dir="auto"
      >
        {runs.map((run, index) =>
          run.isChange ? (
            <Change key={run.id} run={run} />
          ) : (
            <Unchanged
              key={run.id}
              text={run.pieces.map(({ text }) => text).join("")}
              isFirst={index === 0}
              isLast={index === runs.length - 1}
            />
          ),
        )}
      </div>
    </>
  );
}

function Change({ run }: { run: Run }) {
  return (
    <span data-change="" tabIndex={-1}>
      {run.pieces.map(({ id, kind, text }) =>
        kind === "added" ? (
          <ins key={id} className="bg-success-soft text-success">
            {text}
          </ins>
        ) : (
          <del key={id} className="bg-danger-soft text-danger">
            {text}
          </del>
        ),
      )}
    </span>
  );
}

interface UnchangedProps {
  text: string;
  isFirst: boolean;
  isLast: boolean;
}

/** What both versions have, folded but for some lines beside the changes. */
function Unchanged({ text, isFirst, isLast }: UnchangedProps) {
  const [isOpen, setOpen] = useState(false);
  const lines = text.split(/(?<=\n)/);
  const from = isFirst ? 0 : CONTEXT;
  const to = lines.length - (isLast ? 0 : CONTEXT);
  if (isOpen || to - from < FOLDED) return <span>{text}</span>;
  return (
    <>
      <span>{lines.slice(0, from).join("")}</span>
      <div className="py-1 font-sans">
        <Button variant="ghost" size="sm" onClick={() => setOpen(true)}>
          {comparisonMessages.unchanged(to - from)}
        </Button>
      </div>
      <span>{lines.slice(to).join("")}</span>
    </>
  );
}
