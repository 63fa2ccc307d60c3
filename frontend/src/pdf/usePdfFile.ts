import { useCallback, useEffect, useReducer } from "react";
import { openByteSource } from "./byteSource";
import type { PdfFile } from "./engine";
import { loadEngine } from "./loadEngine";
import { firstAttempt, type Loading, loadingReducer, type PdfProblem, problemOf } from "./loading";
import { StallDetector } from "./stall";
import { acquireWorker } from "./worker";

interface OpenFile {
  readonly state: Loading<PdfFile>;
  /** Reports a failure after the file was opened; the pages are then removed. */
  fail(problem: PdfProblem): void;
  retry(): void;
}

/** Opens a PDF of this server for the lifetime of the component. */
export function usePdfFile(address: string): OpenFile {
  const [state, dispatch] = useReducer(loadingReducer<PdfFile>, firstAttempt);
  const { attempt } = state;

  useEffect(() => {
    const stop = new AbortController();
    const report = (error: unknown) => {
      if (!stop.signal.aborted) dispatch({ type: "failed", attempt, problem: problemOf(error) });
    };
    const { worker, started } = acquireWorker();
    // A worker that cannot be loaded reports it only by this event.
    worker.addEventListener("error", () => report({ name: "WorkerError" }), {
      signal: stop.signal,
    });
    const detector = new StallDetector(stop.signal, (isSlow) =>
      dispatch({ type: "slowed", attempt, isSlow }),
    );
    const onBytes = () => detector.moved();
    const source = openByteSource(address, stop.signal, started, onBytes);
    const arrived = Promise.all([loadEngine(), source]);
    const opened = detector
      .transfer(arrived)
      .then(([{ openPdf }, source]) => openPdf(source, worker, stop.signal, detector, report));
    detector
      .guard(opened)
      .then((document) => {
        if (stop.signal.aborted) return;
        if (document.pageCount === 0) dispatch({ type: "failed", attempt, problem: "empty" });
        else dispatch({ type: "opened", attempt, document });
      })
      .catch(report);
    return () => {
      stop.abort();
      worker.terminate();
    };
  }, [address, attempt]);

  const fail = useCallback(
    (problem: PdfProblem) => dispatch({ type: "failed", attempt, problem }),
    [attempt],
  );
  const retry = useCallback(() => dispatch({ type: "retried" }), []);
  return { state, fail, retry };
}
