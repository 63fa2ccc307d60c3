import type { ReactNode } from "react";
import { LoadFailure } from "./LoadFailure";
import { Skeleton } from "./Skeleton";
import { useDelayed } from "./useDelayed";

export interface ListStateProps<Row> {
  query: {
    data?: Row[] | undefined;
    isError: boolean;
    isFetching: boolean;
    refetch: () => unknown;
  };
  failedText: string;
  children: (rows: Row[]) => ReactNode;
}

/**
 * A list from the server: loading, failed with a retry, or loaded. Rows stay visible when a reload
 * fails.
 */
export function ListState<Row>({ query, failedText, children }: ListStateProps<Row>) {
  const late = useDelayed(!query.data && !query.isError);
  return (
    <>
      {query.isError && (
        <LoadFailure text={failedText} busy={query.isFetching} onRetry={query.refetch} />
      )}
      {query.data ? children(query.data) : !query.isError && <Waiting late={late} />}
    </>
  );
}

function Waiting({ late }: { late: boolean }) {
  return (
    <div className="flex min-h-24 flex-col gap-3">
      <p role="status" className="sr-only">
        Loading...
      </p>
      {late && <Skeleton className="h-10" />}
      {late && <Skeleton className="h-10" />}
    </div>
  );
}
