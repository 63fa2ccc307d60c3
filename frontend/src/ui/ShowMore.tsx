import { type MouseEvent, type ReactNode, useState } from "react";
import { flushSync } from "react-dom";
import { Button } from "./Button";

interface ShowMoreProps<Row> {
  rows: readonly Row[];
  /** Rows shown at first. */
  first: number;
  /** Rows added each time; without it, all others. */
  step?: number;
  /** Name of the rows, for screen readers, where a page has several such lists. */
  of?: string;
  /** Shows the rows as the items of one list. */
  children: (shown: readonly Row[]) => ReactNode;
}

/** The first rows of a list, and a button for more of them. */
export function ShowMore<Row>({ rows, first, step, of, children }: ShowMoreProps<Row>) {
  const [limit, setLimit] = useState(first);
  const more = rows.length - limit;

  function showMore({ currentTarget: button }: MouseEvent<HTMLElement>) {
    const list = listBefore(button, limit);
    flushSync(() => setLimit(step === undefined ? Number.POSITIVE_INFINITY : limit + step));
    // The button has gone, and the focus with it.
    if (!button.isConnected) focus(list?.children[limit]);
  }

  return (
    <>
      {children(rows.slice(0, limit))}
      {more > 0 && <ShowMoreButton more={more} of={of} onClick={showMore} />}
    </>
  );
}

interface ShowMoreButtonProps {
  more: number | string;
  of: string | undefined;
  onClick?: (event: MouseEvent<HTMLElement>) => void;
}

export function ShowMoreButton({ more, of, onClick }: ShowMoreButtonProps) {
  return (
    <Button variant="secondary" size="sm" className="mt-4 w-full" onClick={onClick}>
      Show more ({more}){of && <span className="sr-only"> of {of}</span>}
    </Button>
  );
}

/** Finds the list with this many rows; others may stand between it and the button. */
function listBefore(button: Element, rows: number): Element | null {
  let before = button.previousElementSibling;
  while (before && before.childElementCount !== rows) before = before.previousElementSibling;
  return before;
}

function focus(row: Element | undefined): void {
  if (!(row instanceof HTMLElement)) return;
  row.tabIndex = -1;
  row.focus({ preventScroll: true });
}
