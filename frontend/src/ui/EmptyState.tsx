import type { ReactNode } from "react";

interface EmptyStateProps {
  title: string;
  /** How to add the first item. */
  hint?: string;
  /** Decoration above the title. */
  icon?: ReactNode;
}

/** Placeholder of an empty list. */
export function EmptyState({ title, hint, icon }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-2 rounded-lg border border-line border-dashed px-4 py-8 text-center text-muted">
      {icon}
      <p className={hint && "font-semibold text-ink"}>{title}</p>
      {hint && <p className="max-w-sm text-sm">{hint}</p>}
    </div>
  );
}
