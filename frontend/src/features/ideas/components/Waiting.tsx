import { Skeleton } from "@/ui/Skeleton";
import { useLateness } from "@/ui/useLateness";

/** Placeholder of a loading column. */
export function Waiting() {
  const late = useLateness(true);
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
