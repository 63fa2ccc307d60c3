/** States of opening a PDF, and its possible failures. Does not import pdf.js. */

/**
 * Why a PDF cannot be shown. `gone`: the server says that the file is not, or no longer, available.
 */
export type PdfProblem = "corrupt" | "locked" | "empty" | "stalled" | "gone" | "unreachable";

export type Loading<Document> =
  | { readonly status: "opening"; readonly attempt: number; readonly isSlow?: boolean }
  | { readonly status: "ready"; readonly attempt: number; readonly document: Document }
  | { readonly status: "failed"; readonly attempt: number; readonly problem: PdfProblem };

type LoadingEvent<Document> =
  | { type: "opened"; attempt: number; document: Document }
  | { type: "failed"; attempt: number; problem: PdfProblem }
  | { type: "slowed"; attempt: number; isSlow: boolean }
  | { type: "retried" };

export const firstAttempt = { status: "opening", attempt: 0 } as const;

/**
 * Returns the next state. Reports of an earlier attempt are ignored, and a document that has
 * failed, even after it was shown, stays away until a retry.
 */
export function loadingReducer<Document>(
  state: Loading<Document>,
  event: LoadingEvent<Document>,
): Loading<Document> {
  if (event.type === "retried") {
    const isUnderWay = state.status === "opening" && !state.isSlow;
    return isUnderWay ? state : { status: "opening", attempt: state.attempt + 1 };
  }
  if (event.attempt !== state.attempt || state.status === "failed") return state;
  const { attempt } = state;
  if (event.type === "failed") return { status: "failed", attempt, problem: event.problem };
  if (state.status === "ready") return state;
  if (event.type === "slowed") return { status: "opening", attempt, isSlow: event.isSlow };
  return { status: "ready", attempt, document: event.document };
}

/** Statuses that mean that the file is not available. */
const CLOSED = new Set([401, 403, 404, 410]);
/** Messages of browsers for a failed connection. */
const NETWORK = /fetch|network|load failed|connection|aborted/i;

/** Classifies a thrown error. */
export function problemOf(error: unknown): PdfProblem {
  const { name, message, status } = partsOf(error);
  if (name === "PasswordException") return "locked";
  if (name === "StallError") return "stalled";
  if (name === "ResponseException") return CLOSED.has(status) ? "gone" : "unreachable";
  if (name === "InvalidPDFException") return /empty|zero/i.test(message) ? "empty" : "corrupt";
  if (name === "TypeError" || name === "WorkerError" || NETWORK.test(message)) return "unreachable";
  return "corrupt";
}

function partsOf(error: unknown): { name: string; message: string; status: number } {
  if (typeof error !== "object" || error === null) return { name: "", message: "", status: 0 };
  const parts: Record<string, unknown> = { ...error };
  return {
    name: error instanceof Error ? error.name : String(parts.name ?? ""),
    message: error instanceof Error ? error.message : String(parts.message ?? ""),
    status: typeof parts.status === "number" ? parts.status : 0,
  };
}
