import { type ReactNode, type RefObject, useId } from "react";

interface ColumnProps {
  title: string;
  count?: number | undefined;
  headingRef?: RefObject<HTMLHeadingElement | null> | undefined;
  children: ReactNode;
}

/** One titled column of the dashboard. */
export function Column({ title, count, headingRef, children }: ColumnProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0">
      <div className="mb-3 flex items-center gap-2">
        <h2
          ref={headingRef}
          id={id}
          tabIndex={-1}
          className="font-semibold font-serif text-xl outline-none"
        >
          {title}
        </h2>
        {count !== undefined && (
          <span className="rounded-full bg-sunken px-2.5 py-0.5 font-semibold text-muted text-xs tabular-nums">
            {count}
          </span>
        )}
      </div>
      {children}
    </section>
  );
}
