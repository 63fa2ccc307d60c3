import { useRef } from "react";

/**
 * Radix gives focus back to a dialog's trigger; ours open from state and have none, so whatever had
 * focus at opening gets it back, unless `elsewhere` names another element by then.
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
