import type { Share } from "@/api/generated";
import { ShowMore } from "@/ui/ShowMore";
import { ShareRow } from "./ShareRow";

/** Links added each time. */
const PAGE = 25;

interface ShareRowsProps {
  rows: readonly Share[];
  /** Links shown at first. */
  first: number;
  of: string;
  onRevoke: (share: Share) => void;
}

/** Links of one kind, newest first. */
export function ShareRows({ rows, first, of, onRevoke }: ShareRowsProps) {
  return (
    <ShowMore rows={rows} first={first} step={PAGE} of={of}>
      {(shown) => (
        <ul className="divide-y divide-line">
          {shown.map((share) => (
            <ShareRow key={share.id} share={share} onRevoke={onRevoke} />
          ))}
        </ul>
      )}
    </ShowMore>
  );
}
