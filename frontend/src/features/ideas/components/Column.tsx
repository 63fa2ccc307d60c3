import { type ReactNode, type RefObject, useId } from "react";
import { cx } from "@/ui/cx";

/** Styles of the place of all columns. */
export const columnsStyles = "mt-8 grid items-start gap-8 lg:grid-cols-2";

interface ColumnProps {
  title: string;
  count?: number | string | undefined;
  headingRef?: RefObject<HTMLHeadingElement | null> | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** One titled column of the dashboard. */
export function Column({ title, count, headingRef, className, children }: ColumnProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={cx("min-w-0", className)}>
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
