/** How opening a PDF goes on, and what can be wrong with one. No pdf.js in here. */

/** Why a PDF cannot be shown. `gone` is the server's no: the file is not, or no longer, open. */
export type PdfProblem = "corrupt" | "locked" | "empty" | "stalled" | "gone" | "unreachable";

export type Loading<Document> =
  | { readonly status: "opening"; readonly attempt: number }
  | { readonly status: "ready"; readonly attempt: number; readonly document: Document }
  | { readonly status: "failed"; readonly attempt: number; readonly problem: PdfProblem };

export type LoadingEvent<Document> =
  | { type: "opened"; attempt: number; document: Document }
  | { type: "failed"; attempt: number; problem: PdfProblem }
  | { type: "retried" };

export const firstAttempt = { status: "opening", attempt: 0 } as const;

/**
 * The next state. What an earlier attempt still reports is ignored, and a document that has
 * failed, even after it was shown, stays away until somebody tries again.
 */
export function loadingReducer<Document>(
  state: Loading<Document>,
  event: LoadingEvent<Document>,
): Loading<Document> {
  if (event.type === "retried") {
    return state.status === "opening" ? state : { status: "opening", attempt: state.attempt + 1 };
  }
  if (event.attempt !== state.attempt || state.status === "failed") return state;
  const { attempt } = state;
  if (event.type === "failed") return { status: "failed", attempt, problem: event.problem };
  return state.status === "ready" ? state : { status: "ready", attempt, document: event.document };
}

/** The server's ways of saying that there is nothing to see. */
const CLOSED = new Set([401, 403, 404, 410]);
/** What browsers call a connection that failed. */
const NETWORK = /fetch|network|load failed|connection|aborted/i;

/** Names what went wrong, from whatever was thrown. */
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
