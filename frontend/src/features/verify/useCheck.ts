import { useEffect, useRef, useState } from "react";
import type { VerifierKey } from "@/verify/checkpoint";
import type { Claim, Summary } from "@/verify/report";
import { messages } from "./messages";
import { type CheckState, tally } from "./tally";

/** Loads the verification, which the page does not need before a file is chosen. */
export const loadVerification = () => import("@/verify/verify");

/** Time between two drawings of the claims while they are checked, in milliseconds. */
const DRAW_MS = 80;

/** Checks a file, again for each key; a newer check ends an older one. */
export function useCheck() {
  const [state, setState] = useState<CheckState>({ phase: "idle" });
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  const check = async (file: File, key: VerifierKey | null) => {
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    const claims: Claim[] = [];
    const draw = (phase: "checking" | "done", summary: Summary | null = null) =>
      setState({
        phase,
        fileName: file.name,
        tallies: tally(claims),
        count: claims.length,
        summary,
      });
    draw("checking");
    let drawnAt = performance.now();
    const onClaim = (claim: Claim) => {
      claims.push(claim);
      if (performance.now() - drawnAt < DRAW_MS) return;
      draw("checking");
      drawnAt = performance.now();
    };
    try {
      const { verifyFile } = await loadVerification();
      const { signal } = abort;
      const report = await verifyFile(file, { key, now: Date.now(), onClaim, signal });
      if (!signal.aborted) draw("done", report.summary);
    } catch (error) {
      if (abort.signal.aborted) return;
      const { refusalOf } = await loadVerification().catch(() => ({ refusalOf: () => null }));
      const reason = refusalOf(error) ?? messages.file.unreadable;
      setState({ phase: "refused", fileName: file.name, reason });
    }
  };

  return { state, check };
}
