import type { CheckState } from "../tally";
import { ClaimList } from "./ClaimList";
import { Shows } from "./Shows";

export { Verdict } from "./Verdict";

interface ResultProps {
  state: CheckState;
  /** Whether the reader brought a key. */
  isPinned: boolean;
}

/** Findings about the file, and its claims. */
export function Result({ state, isPinned }: ResultProps) {
  if (state.phase !== "checking" && state.phase !== "done") return null;
  const isFalse = Object.values(state.tallies).some(({ fails }) => fails.length > 0);
  return (
    <>
      {/* What a false file says is not repeated. */}
      {!isFalse && state.summary && (
        <Shows summary={state.summary} page={state.page} isPinned={isPinned} />
      )}
      <ClaimList tallies={state.tallies} isDone={state.phase === "done"} />
    </>
  );
}
