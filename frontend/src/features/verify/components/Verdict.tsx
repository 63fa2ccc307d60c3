import { CircleCheckBig, CircleX, FileX } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "@/ui/cx";
import { Spinner } from "@/ui/Spinner";
import type { Topic } from "@/verify/report";
import { messages } from "../resultMessages";
import type { CheckState, Tallies } from "../tally";

const words = messages.verdict;

/** The result for the whole file. */
export function Verdict({ state }: { state: CheckState }) {
  if (state.phase === "idle") return null;
  if (state.phase === "refused") {
    return (
      <Card
        tone="border-danger bg-danger-soft text-danger"
        icon={<FileX className="size-8" aria-hidden="true" />}
        title={words.refused}
        fileName={state.fileName}
      >
        <p>{state.reason}</p>
        <p className="mt-2">{words.refusedHint}</p>
      </Card>
    );
  }
  if (state.phase === "checking") {
    return (
      <Card
        tone="border-line bg-surface"
        icon={<Spinner className="size-8 text-seal" />}
        title={
          <>
            {words.checking} {/* It changes too often to be read out. */}
            <span aria-hidden="true" className="tabular-nums">
              {words.checkedSoFar(state.count)}
            </span>
          </>
        }
        fileName={state.fileName}
      />
    );
  }
  const failures = Object.values(state.tallies).reduce((sum, { fails }) => sum + fails.length, 0);
  if (failures > 0) {
    return (
      <Card
        tone="border-danger bg-danger-soft text-danger"
        icon={<CircleX className="size-8" aria-hidden="true" />}
        title={words.invalid}
        fileName={state.fileName}
      >
        <p>{words.invalidText(failures)}</p>
      </Card>
    );
  }
  return (
    <Card
      tone="border-success bg-success-soft text-success"
      icon={<CircleCheckBig className="size-8" aria-hidden="true" />}
      title={words.valid}
      fileName={state.fileName}
    >
      <p>{words.validText(decidedIn(state.tallies))}</p>
      <Open points={openPoints(state.tallies)} />
    </Card>
  );
}

interface CardProps {
  tone: string;
  icon: ReactNode;
  title: ReactNode;
  fileName: string;
  children?: ReactNode;
}

function Card({ tone, icon, title, fileName, children }: CardProps) {
  return (
    <div className={cx("mt-8 flex items-start gap-4 rounded-lg border px-5 py-5 sm:px-6", tone)}>
      <span className="shrink-0 pt-0.5">{icon}</span>
      <div className="wrap-anywhere min-w-0">
        <p className="font-semibold font-serif text-xl">{title}</p>
        <p className="mt-0.5 text-ink text-sm">
          <bdi>{fileName}</bdi>
        </p>
        {children && <div className="mt-2 text-ink">{children}</div>}
      </div>
    </div>
  );
}

function Open({ points }: { points: readonly string[] }) {
  if (points.length === 0) return null;
  return (
    <>
      <p className="mt-2">{words.open}</p>
      <ul className="mt-1 flex list-disc flex-col gap-1 pl-5">
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
    </>
  );
}

const decidedIn = (tallies: Tallies): number =>
  Object.values(tallies).reduce((sum, { holds }) => sum + holds.length, 0);

/** Topics of those who may confirm the time besides the server. */
const outsiders = ["authority", "witness", "bitcoin"] as const satisfies readonly Topic[];

/** Questions that a valid file leaves open. */
function openPoints(tallies: Tallies): string[] {
  const isStamped = outsiders.some((topic) => tallies[topic].unknown.length > 0);
  // Of a bundle, files are checked first.
  const isDocument = tallies.files.holds.length === 0;
  const { holds, unknown } = tallies.key;
  return [
    ...(unknown.length > 0 ? [holds.length > 0 ? words.openOlderKey : words.openKey] : []),
    ...(tallies.event.unknown.length > 0 ? [words.openClock] : []),
    ...(isDocument
      ? [words.openPages, words.documentTime]
      : [isStamped ? words.openTime : words.ownTime]),
  ];
}
