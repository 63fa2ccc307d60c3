import { useEffect, useRef, useState } from "react";
import type { VerifierKey } from "@/verify/checkpoint";
import type { Folder } from "@/verify/folder";
import type { Claim } from "@/verify/report";
import { messages } from "./messages";
import { type CheckState, type Findings, tally } from "./tally";

/** What a reader wants to have checked: a file, or a folder that one was unpacked into. */
export interface Chosen {
  readonly name: string;
  readonly content: File | Folder;
}

/** Loads the verification, which the page does not need before a file is chosen. */
export const loadVerification = () => import("@/verify/verify");

/** Time between two drawings of the claims while they are checked, in milliseconds. */
const DRAW_MS = 80;

/** Checks a bundle, again for each key; a newer check ends an older one. */
export function useCheck() {
  const [state, setState] = useState<CheckState>({ phase: "idle" });
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  const check = async ({ name, content }: Chosen, key: VerifierKey | null) => {
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    const claims: Claim[] = [];
    const draw = (
      phase: "checking" | "done",
      { summary, page }: Findings = { summary: null, page: null },
    ) =>
      setState({
        phase,
        fileName: name,
        tallies: tally(claims),
        count: claims.length,
        summary,
        page,
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
      const { verifyFile, verifyFolder } = await loadVerification();
      const { signal } = abort;
      const options = { key, now: Date.now(), onClaim, signal };
      const report = await (content instanceof File
        ? verifyFile(content, options)
        : verifyFolder(content, options));
      if (!signal.aborted) draw("done", report);
    } catch (error) {
      if (abort.signal.aborted) return;
      const { refusalOf } = await loadVerification().catch(() => ({ refusalOf: () => null }));
      const reason = refusalOf(error) ?? messages.file.unreadable;
      setState({ phase: "refused", fileName: name, reason });
    }
  };

  return { state, check };
}
