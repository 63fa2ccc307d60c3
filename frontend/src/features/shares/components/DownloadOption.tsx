import type { ReactNode } from "react";

interface DownloadOptionProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Which link it is, for screen readers, where there are several. */
  description?: string;
  /** Explains the option below it. */
  children?: ReactNode;
}

/** Option: readers of this link may save the document. */
export function DownloadOption({ checked, onChange, description, children }: DownloadOptionProps) {
  return (
    <label className="flex cursor-pointer items-start gap-3 text-sm">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-primary"
      />
      <span>
        Readers may download the document
        {description && <span className="sr-only"> ({description})</span>}
        {children}
      </span>
    </label>
  );
}
