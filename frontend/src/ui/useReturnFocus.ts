import { useRef } from "react";

/**
 * Returns focus when a dialog closes. Radix gives it back to the dialog's trigger; ours open from
 * state and have none, so it goes to the element focused at opening, unless `elsewhere` returns
 * another one.
 */
export function useReturnFocus(elsewhere?: () => HTMLElement | null | undefined) {
  const opener = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      opener.current = document.activeElement;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      const target = elsewhere?.() ?? opener.current;
      if (target instanceof HTMLElement) target.focus();
    },
  };
}
