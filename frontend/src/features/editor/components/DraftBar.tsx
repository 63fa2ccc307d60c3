import { History } from "lucide-react";
import { useState } from "react";
import { Button } from "@/ui/Button";
import { formatAge } from "../session/age";
import type { DocumentSession } from "../session/documentSession";
import type { Draft } from "../session/drafts";

interface DraftBarProps {
  readonly session: DocumentSession;
  readonly offer: Draft | null;
  /** Revision on screen: an older base means that the idea was saved elsewhere meanwhile. */
  readonly revision: number | null;
}

/** Offers text that an earlier session did not save. Asks nothing of those who just go on. */
export function DraftBar({ session, offer, revision }: DraftBarProps) {
  const [openedAt] = useState(Date.now);
  if (offer === null) return null;
  const isOutdated = offer.baseRevision !== revision;
  return (
    <section
      aria-label="Unsaved draft"
      className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-line bg-warning-soft px-4 py-2.5 text-sm print:hidden"
    >
      <History className="size-4 shrink-0 text-warning" aria-hidden="true" />
      <p className="min-w-0 flex-1 basis-60">
        Unsaved changes from {formatAge(offer.savedAt, openedAt)} were kept in this browser.
        {isOutdated && " The idea has been saved since then."}
      </p>
      <div className="flex gap-2">
        <Button variant="secondary" size="sm" onClick={() => session.restore()}>
          Restore
        </Button>
        <Button variant="ghost" size="sm" onClick={() => session.discard()}>
          Discard
        </Button>
      </div>
    </section>
  );
}
