import type { ReactNode } from "react";
import { ListSkeleton } from "./ListSkeleton";
import { LoadFailure } from "./LoadFailure";

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
  return (
    <>
      {query.isError && (
        <LoadFailure text={failedText} busy={query.isFetching} onRetry={query.refetch} />
      )}
      {query.data ? children(query.data) : !query.isError && <ListSkeleton row="h-10" />}
    </>
  );
}
