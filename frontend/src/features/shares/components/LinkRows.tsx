import { useState } from "react";
import type { Share } from "@/api/generated";
import { Button } from "@/ui/Button";
import { ShareLinkRow } from "./ShareLinkRow";

/** Links added each time. */
const PAGE = 8;

interface LinkRowsProps {
  rows: readonly Share[];
  /** Links shown at first. */
  first: number;
  onRevoke: (share: Share) => void;
}

/** Links of one kind, newest first, with paging. */
export function LinkRows({ rows, first, onRevoke }: LinkRowsProps) {
  const [shown, setShown] = useState(first);
  return (
    <>
      <ul className="divide-y divide-line">
        {rows.slice(0, shown).map((share) => (
          <ShareLinkRow key={share.id} share={share} onRevoke={onRevoke} />
        ))}
      </ul>
      {rows.length > shown && (
        <Button
          variant="secondary"
          size="sm"
          className="mt-4"
          onClick={() => setShown(shown + PAGE)}
        >
          Show more links ({rows.length - shown})
        </Button>
      )}
    </>
  );
}
