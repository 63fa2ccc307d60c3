import type { Share } from "@/api/generated";
import { ShowMore } from "@/ui/ShowMore";
import { ShareLinkRow } from "./ShareLinkRow";

/** Links added each time. */
const PAGE = 8;

interface LinkRowsProps {
  rows: readonly Share[];
  /** Links shown at first. */
  first: number;
  of: string;
  onRevoke: (share: Share) => void;
}

/** Links of one kind, newest first. */
export function LinkRows({ rows, first, of, onRevoke }: LinkRowsProps) {
  return (
    <ShowMore rows={rows} first={first} step={PAGE} of={of}>
      {(shown) => (
        <ul className="divide-y divide-line">
          {shown.map((share) => (
            <ShareLinkRow key={share.id} share={share} onRevoke={onRevoke} />
          ))}
        </ul>
      )}
    </ShowMore>
  );
}
