import type { ReactNode } from "react";

interface EmptyStateProps {
  title: string;
  /** Decoration above the title. */
  icon?: ReactNode;
}

/** What a list shows when it has nothing to show. */
export function EmptyState({ title, icon }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-2 rounded-lg border border-line border-dashed px-4 py-8 text-center text-muted">
      {icon}
      <p>{title}</p>
    </div>
  );
}
