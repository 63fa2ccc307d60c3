import type { ApiError } from "@/api/http";
import { messages } from "./messages";

/** Returns the field of a failed call and the text to show. */
export function failureOf(error: unknown): { field: string | null; text: string } {
  const { field, detail } = error as Partial<ApiError>;
  return { field: field ?? null, text: detail ?? messages.failed };
}
