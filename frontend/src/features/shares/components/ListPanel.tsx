import type { ReactNode } from "react";
import { LoadFailure } from "@/ui/LoadFailure";
import { Panel } from "@/ui/Panel";
import { Skeleton } from "@/ui/Skeleton";
import { useLateness } from "@/ui/useLateness";

interface ListPanelProps<Row> {
  title: string;
  query: {
    data?: Row[] | undefined;
    isError: boolean;
    isFetching: boolean;
    refetch: () => unknown;
  };
  failedText: string;
  children: (rows: Row[]) => ReactNode;
}

/** A panel around one list from the server: waiting, failed with a way to retry, or there. */
export function ListPanel<Row>({ title, query, failedText, children }: ListPanelProps<Row>) {
  const late = useLateness(!query.data && !query.isError);
  return (
    <Panel title={title}>
      {query.data ? (
        children(query.data)
      ) : query.isError ? (
        <LoadFailure text={failedText} busy={query.isFetching} onRetry={query.refetch} />
      ) : (
        <div className="flex min-h-24 flex-col gap-3">
          <p role="status" className="sr-only">
            Loading...
          </p>
          {late && <Skeleton className="h-10" />}
          {late && <Skeleton className="h-10" />}
        </div>
      )}
    </Panel>
  );
}
