import { type CallFailure, toApiError } from "@/api/baseApi";
import type { Idea } from "@/api/generated";
import { storedUser } from "@/store/currentUserSlice";
import type { CallResult } from "./calls";

/** Whether that user is signed in, as far as this browser knows. */
export const isAuthor = (userId: string): boolean => storedUser()?.id === userId;

/**
 * Makes a call that stores the author's text, unless somebody else has signed in on another tab: the
 * server would store it for them.
 */
export async function asAuthor(userId: string, call: () => Promise<Idea>): Promise<CallResult> {
  const other = storedUser();
  if (other === null || other.id === userId) return toCallResult(call());
  return {
    error: { status: 401, message: "401: another user is signed in", detail: null, field: null },
  };
}

/** Turns a call that may be rejected into its outcome. */
export async function toCallResult(call: Promise<Idea>): Promise<CallResult> {
  try {
    return { idea: await call };
  } catch (cause) {
    // `unwrap` rejects with nothing else.
    return { error: toApiError(cause as CallFailure) };
  }
}
