import { Skeleton } from "@/ui/Skeleton";
import { useDelayed } from "@/ui/useDelayed";

/** Placeholder of a loading column. */
export function ColumnSkeleton() {
  const late = useDelayed(true);
  return (
    <div className="flex min-h-24 flex-col gap-3">
      <p role="status" className="sr-only">
        Loading...
      </p>
      {late && <Skeleton className="h-24" />}
      {late && <Skeleton className="h-24" />}
    </div>
  );
}
