import { type CallFailure, toApiError } from "@/api/baseApi";
import { messages } from "./messages";

/** Returns the field of a failed call and the text to show. */
export function failureOf(error: CallFailure): { field: string | null; text: string } {
  const { field, detail } = toApiError(error);
  return { field, text: detail ?? messages.failed };
}
