import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "./cx";
import { useHiddenInToast } from "./toastText";

/** A failure message. If a toast says the same, it shows once that has gone. */
export function Alert({ children }: { children: ReactNode }) {
  return (
    <div
      role="alert"
      className={cx(
        "flex items-start gap-3 rounded-md border border-danger bg-danger-soft px-3 py-2.5 text-danger text-sm",
        useHiddenInToast(children),
      )}
    >
      <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
      <div className="min-w-0">{children}</div>
    </div>
  );
}
