import { type ReactNode, useState } from "react";
import { Button } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import { ListState, type ListStateProps } from "@/ui/ListState";

/** Rows shown at first. */
const FIRST_ROWS = 10;

interface RecordListProps<Row> extends Omit<ListStateProps<Row>, "children"> {
  emptyText: string;
  keyOf: (row: Row) => string;
  children: (row: Row) => ReactNode;
}

/** Rows of one kind of record, the first few at once. */
export function RecordList<Row>({ emptyText, keyOf, children, ...list }: RecordListProps<Row>) {
  const [all, setAll] = useState(false);
  return (
    <ListState {...list}>
      {(rows) => {
        if (rows.length === 0) return <EmptyState title={emptyText} />;
        return (
          <>
            <ul className="divide-y divide-line text-sm">
              {(all ? rows : rows.slice(0, FIRST_ROWS)).map((row) => (
                <li key={keyOf(row)} className="wrap-anywhere py-3 first:pt-0 last:pb-0">
                  {children(row)}
                </li>
              ))}
            </ul>
            {!all && rows.length > FIRST_ROWS && (
              <Button variant="ghost" size="sm" className="mt-3" onClick={() => setAll(true)}>
                Show all {rows.length}
              </Button>
            )}
          </>
        );
      }}
    </ListState>
  );
}
