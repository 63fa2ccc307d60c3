import type { ReactNode } from "react";
import { EmptyState } from "@/ui/EmptyState";
import { ListState, type ListStateProps } from "@/ui/ListState";
import { ShowMore } from "@/ui/ShowMore";

/** Rows shown at first. */
const FIRST_ROWS = 10;

interface RecordListProps<Row> extends Omit<ListStateProps<Row>, "children"> {
  emptyText: string;
  keyOf: (row: Row) => string;
  children: (row: Row) => ReactNode;
}

/** Rows of one kind of record, the first few at once. */
export function RecordList<Row>({ emptyText, keyOf, children, ...list }: RecordListProps<Row>) {
  return (
    <ListState {...list}>
      {(rows) =>
        rows.length === 0 ? (
          <EmptyState title={emptyText} />
        ) : (
          <ShowMore rows={rows} first={FIRST_ROWS}>
            {(shown) => (
              <ul className="divide-y divide-line text-sm">
                {shown.map((row) => (
                  <li key={keyOf(row)} className="wrap-anywhere py-3 first:pt-0 last:pb-0">
                    {children(row)}
                  </li>
                ))}
              </ul>
            )}
          </ShowMore>
        )
      }
    </ListState>
  );
}
