import { ChevronDown } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { cx } from "./cx";

/** A collapsed section. Its content is mounted only while it is open. */
export function Collapsible({ title, children }: { title: string; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <section className="border-line border-t">
      <h3>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => setOpen(!open)}
          className="-mx-2 flex min-h-12 w-[calc(100%+1rem)] items-center justify-between gap-3 rounded-md px-2 text-left font-semibold hover:bg-sunken"
        >
          {title}
          <ChevronDown
            className={cx("size-5 shrink-0 text-muted transition-transform", open && "rotate-180")}
            aria-hidden="true"
          />
        </button>
      </h3>
      {open && (
        <div id={id} className="pt-2 pb-6">
          {children}
        </div>
      )}
    </section>
  );
}
