import { History } from "lucide-react";
import { type ReactNode, useState } from "react";
import { formatAge } from "../session/age";
import type { Draft } from "../session/drafts";
import { withFocusFallback } from "./focusFallback";

interface DraftNoticeProps {
  readonly draft: Draft;
  /** A further sentence about the draft. */
  readonly note?: ReactNode;
  /** Buttons for what can be done with the draft. */
  readonly children: ReactNode;
}

/** Says that a draft was kept, in this browser or on the server. */
export function DraftNotice({ draft, note, children }: DraftNoticeProps) {
  const [openedAt] = useState(Date.now);
  return (
    <section
      ref={withFocusFallback}
      aria-label="Unsaved draft"
      className="-mx-4 mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-y bg-warning-soft px-5 py-2.5 text-left text-sm sm:mx-0 sm:rounded-lg sm:border sm:px-4 print:hidden"
    >
      <History className="size-4 shrink-0 text-warning" aria-hidden="true" />
      <p className="wrap-anywhere min-w-0 flex-1 basis-60">
        Unsaved changes from {formatAge(draft.savedAt, openedAt)} were kept. {note}
      </p>
      <div className="flex gap-2">{children}</div>
    </section>
  );
}
