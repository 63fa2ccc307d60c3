import { useListIdeaSharesQuery } from "@/api/enhanced";
import { shareTypeLabel } from "@/sharing/shareTypes";

/** Number of registrations per link that led to nothing and are only counted. */
export function FoldedRegistrations({ ideaId }: { ideaId: number }) {
  const { data: shares = [] } = useListIdeaSharesQuery({ id: ideaId });
  const folded = shares.filter(({ foldedRegistrations }) => foldedRegistrations > 0);
  if (folded.length === 0) return null;
  return (
    <ul className="mt-5 flex flex-col gap-1 text-muted text-sm">
      {folded.map((share) => (
        <li key={share.id}>
          {people(share.foldedRegistrations)} registered on{" "}
          {share.name ?? shareTypeLabel(share.shareType)} and went no further.
        </li>
      ))}
    </ul>
  );
}

const people = (count: number) =>
  count === 1 ? "1 more person" : `${count.toLocaleString("en")} more people`;
