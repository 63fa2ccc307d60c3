import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";

/** A failure message that stays after its toast has gone. */
export function Alert({ children }: { children: ReactNode }) {
  return (
    <div
      role="alert"
      className="flex items-start gap-3 rounded-md border border-danger bg-danger-soft px-3 py-2.5 text-danger text-sm"
    >
      <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
      <div className="min-w-0">{children}</div>
    </div>
  );
}
