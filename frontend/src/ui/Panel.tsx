import { type ReactNode, useId } from "react";

/** A titled block on the page. */
export function Panel({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="min-w-0 rounded-lg border border-line bg-surface p-5 shadow-soft sm:p-6"
    >
      <h2 id={id} className="mb-4 font-semibold font-serif text-xl">
        {title}
      </h2>
      {children}
    </section>
  );
}
