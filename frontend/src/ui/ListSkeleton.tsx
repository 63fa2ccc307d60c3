import { Skeleton } from "./Skeleton";
import { useDelayed } from "./useDelayed";

/** Placeholder of a list that is loading; `row` has the styles of its rows. */
export function ListSkeleton({ row }: { row: string }) {
  const late = useDelayed(true);
  return (
    <div className="flex min-h-24 flex-col gap-3">
      <p role="status" className="sr-only">
        Loading...
      </p>
      {late && <Skeleton className={row} />}
      {late && <Skeleton className={row} />}
    </div>
  );
}
