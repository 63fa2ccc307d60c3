import type { ReactNode } from "react";

interface LinkOptionProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Which link it is, for screen readers, where there are several. */
  description?: string;
  /** Explains the option below it. */
  children?: ReactNode;
}

/** Something that the owner allows or withholds for a link. */
export function LinkOption({ label, checked, onChange, description, children }: LinkOptionProps) {
  return (
    <label className="flex cursor-pointer items-start gap-3 text-sm">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-primary"
      />
      <span>
        {label}
        {description && <span className="sr-only"> ({description})</span>}
        {children}
      </span>
    </label>
  );
}
