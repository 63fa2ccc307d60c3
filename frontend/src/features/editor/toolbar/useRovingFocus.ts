import { type KeyboardEvent, type RefObject, useEffect, useRef } from "react";

const ITEMS = "[data-toolbar-item]";

/**
 * One tab stop for a group of buttons; arrow keys, Home and End move inside it (ARIA toolbar
 * pattern). The next Tab returns to the last focused button.
 */
export function useRovingFocus<T extends HTMLElement>(): {
  ref: RefObject<T | null>;
  onKeyDown: (event: KeyboardEvent<T>) => void;
  onFocus: (event: { target: EventTarget }) => void;
} {
  const ref = useRef<T>(null);

  useEffect(() => {
    const items = itemsOf(ref.current);
    setStop(items, items[0]);
  }, []);

  return {
    ref,
    onKeyDown: (event) => {
      const items = itemsOf(ref.current);
      const from = items.findIndex((item) => item.matches(":focus"));
      const to = from < 0 ? undefined : target(event.key, from, items.length);
      if (to === undefined) return;
      event.preventDefault();
      items[to]?.focus();
    },
    onFocus: ({ target: focused }) => {
      const items = itemsOf(ref.current);
      const item = items.find((candidate) => candidate === focused);
      if (item !== undefined) setStop(items, item);
    },
  };
}

function itemsOf(root: HTMLElement | null): HTMLElement[] {
  return [...(root?.querySelectorAll<HTMLElement>(ITEMS) ?? [])];
}

function setStop(items: HTMLElement[], stop: HTMLElement | undefined): void {
  for (const item of items) item.tabIndex = item === stop ? 0 : -1;
}

function target(key: string, from: number, count: number): number | undefined {
  switch (key) {
    case "ArrowRight":
    case "ArrowDown":
      return (from + 1) % count;
    case "ArrowLeft":
    case "ArrowUp":
      return (from - 1 + count) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}
