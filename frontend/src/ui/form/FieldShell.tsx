import { type ReactNode, useId } from "react";
import { cx } from "../cx";
import { useHiddenInToast } from "../toastText";

/** Props of every labelled control. */
export interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

interface FieldShellProps extends FieldProps {
  children: (ids: FieldIds) => ReactNode;
}

interface FieldIds {
  id: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

/** Label, hint and error of one control, associated by ids. */
export function FieldShell({ label, hint, error, children }: FieldShellProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const hidden = useHiddenInToast(error);
  const describedBy = [hint && hintId, error && errorId].filter(Boolean).join(" ");
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold text-sm">
        {label}
      </label>
      {children({
        id,
        "aria-invalid": error ? true : undefined,
        "aria-describedby": describedBy || undefined,
      })}
      {hint && (
        <p id={hintId} className="text-muted text-sm">
          {hint}
        </p>
      )}
      {error && (
        <p id={errorId} className={cx("text-danger text-sm", hidden)}>
          {error}
        </p>
      )}
    </div>
  );
}

/** The look of text inputs; 16 px type, so that phones do not zoom in. */
export const inputStyles =
  "min-h-11 w-full min-w-0 rounded-md border border-line-strong bg-surface px-3 py-2 text-base text-ink placeholder:text-muted aria-invalid:border-danger read-only:bg-sunken disabled:opacity-60";
