import type { ApiError } from "@/api/http";
import { messages } from "./messages";

/** What a failed call blames, and what to say of it. */
export function failureOf(error: unknown): { field: string | null; text: string } {
  const { field, detail } = error as Partial<ApiError>;
  return { field: field ?? null, text: detail ?? messages.failed };
}
