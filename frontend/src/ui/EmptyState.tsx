import type { ReactNode } from "react";

interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
}

/** What a list shows when it has nothing to show. */
export function EmptyState({ icon, title, children }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-2 rounded-lg border border-line border-dashed px-4 py-8 text-center">
      {icon && <span className="text-muted">{icon}</span>}
      <p className="text-muted">{title}</p>
      {children}
    </div>
  );
}
