import { nanoid } from "@reduxjs/toolkit";
import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { type CallFailure, toApiError } from "@/api/baseApi";
import { paths } from "@/routing/paths";
import { useAppDispatch } from "@/store/hooks";
import { errorToast, toastDismissed, toastShown } from "@/store/toastSlice";
import { useImportPdfWithProgressMutation } from "./api";
import { messages } from "./messages";
import { pdfProblem, titleFromFile } from "./pdfFile";

/** Delay before the editor opens after an upload, in milliseconds (docs/rules.md#ui-constants). */
const REDIRECT_DELAY_MS = 1500;

/** State of an upload; `progress` runs from 0 to 1. */
export type UploadState =
  | { phase: "idle" }
  | { phase: "uploading"; fileName: string; progress: number }
  | { phase: "done"; fileName: string; ideaId: number }
  | { phase: "failed"; reason: string };

/** One PDF upload at a time, aborted on unmount. */
export function usePdfUpload() {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const [importPdf] = useImportPdfWithProgressMutation();
  const [state, setState] = useState<UploadState>({ phase: "idle" });
  const cancelUpload = useRef<(() => void) | null>(null);
  const failureToast = useRef<string | null>(null);
  /** The file that was sent last and has no idea yet, as far as this page knows. */
  const unfinished = useRef<{ file: File; key: string } | null>(null);
  const ideaId = state.phase === "done" ? state.ideaId : undefined;

  useEffect(() => () => cancelUpload.current?.(), []);

  useEffect(() => {
    if (ideaId === undefined) return;
    const timer = setTimeout(() => navigate(paths.editor(ideaId)), REDIRECT_DELAY_MS);
    return () => clearTimeout(timer);
  }, [ideaId, navigate]);

  const report = (toast: ReturnType<typeof toastShown>) => {
    failureToast.current = toast.payload.id;
    dispatch(toast);
  };

  const start = async (file: File | undefined) => {
    if (!file || cancelUpload.current || ideaId !== undefined) return;
    // Its message is about another file.
    if (failureToast.current) dispatch(toastDismissed(failureToast.current));
    let cancelled = false;
    cancelUpload.current = () => {
      cancelled = true;
    };
    const problem = await pdfProblem(file);
    if (cancelled) return;
    if (problem) {
      cancelUpload.current = null;
      report(toastShown({ ...problem, variant: "destructive" }));
      return;
    }
    const show = (progress: number) =>
      setState({ phase: "uploading", fileName: file.name, progress });
    show(0);
    // Its idea may be there, although the answer was lost.
    if (!unfinished.current || !isSameFile(unfinished.current.file, file)) {
      unfinished.current = { file, key: nanoid() };
    }
    const request = importPdf({
      file,
      title: titleFromFile(file),
      idempotencyKey: unfinished.current.key,
      onProgress: (fraction) => {
        if (!cancelled) show(fraction);
      },
    });
    cancelUpload.current = () => {
      cancelled = true;
      request.abort();
    };
    const { data, error } = await request;
    cancelUpload.current = null;
    // With 404, the idea of this key was deleted.
    if (data || toApiError(error).status === 404) unfinished.current = null;
    if (cancelled) return;
    if (data) {
      setState({ phase: "done", fileName: file.name, ideaId: data.id });
      return;
    }
    const reason = reasonOf(error);
    setState({ phase: "failed", reason });
    report(errorToast(reason));
  };

  const cancel = () => {
    cancelUpload.current?.();
    setState({ phase: "idle" });
  };

  return { state, start, cancel };
}

const isSameFile = (a: File, b: File) =>
  a.name === b.name && a.size === b.size && a.lastModified === b.lastModified;

/** Returns the server's message, or a text for a failed upload or a missing response. */
function reasonOf(error: CallFailure): string {
  const { detail, status } = toApiError(error);
  return detail ?? (status ? messages.pdfFailed : messages.pdfNoResponse);
}
