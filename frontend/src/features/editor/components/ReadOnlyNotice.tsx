import { Lock } from "lucide-react";
import { messages } from "../messages";

/** Explains why a published idea is read-only. */
export function ReadOnlyNotice() {
  return (
    <p className="mb-4 flex items-start gap-3 rounded-md border border-line bg-surface px-4 py-3 text-muted text-sm print:hidden">
      <Lock className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
      {messages.readOnly}
    </p>
  );
}
