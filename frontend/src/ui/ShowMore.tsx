import { type ReactNode, useState } from "react";
import { Button } from "./Button";

interface ShowMoreProps<Row> {
  rows: readonly Row[];
  /** Rows shown at first. */
  first: number;
  /** Rows added each time; without it, all others. */
  step?: number;
  /** What the rows are, for screen readers, where a page has several such lists. */
  of?: string;
  children: (shown: readonly Row[]) => ReactNode;
}

/** The first rows of a list, and a button for more of them. */
export function ShowMore<Row>({ rows, first, step, of, children }: ShowMoreProps<Row>) {
  const [limit, setLimit] = useState(first);
  const more = rows.length - limit;
  return (
    <>
      {children(rows.slice(0, limit))}
      {more > 0 && (
        <Button
          variant="secondary"
          size="sm"
          className="mt-4 w-full"
          onClick={() => setLimit(step === undefined ? Number.POSITIVE_INFINITY : limit + step)}
        >
          Show more ({more}){of && <span className="sr-only"> of {of}</span>}
        </Button>
      )}
    </>
  );
}
