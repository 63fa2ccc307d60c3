import { useEffect, useState } from "react";
import type { TooltipTarget } from "./TooltipWindow";
import { useIdleLoad } from "./useIdleLoad";

const load = () => import("./TooltipWindow");
type Window = Awaited<ReturnType<typeof load>>["TooltipWindow"];

/**
 * Shows a tooltip for every focusable element with a `data-tooltip`, on hover and on keyboard
 * focus. A tooltip is never the only source of a text: each such element has an accessible name, so
 * the page works when the tooltips cannot be loaded. Mounted once for the signed-in screens; its
 * code is fetched while the page is idle, or at the first hover.
 */
export function Tooltips() {
  const [Drawn, setDrawn] = useState<Window | null>(null);
  const [target, setTarget] = useState<TooltipTarget | null>(null);
  useIdleLoad(load);

  useEffect(() => {
    let pressed = false;
    const press = () => {
      pressed = true;
    };
    const type = () => {
      pressed = false;
    };
    const enter = (event: Event) => {
      // Not for focus by a press or for touch: the element is in use already.
      const isUsed = event instanceof PointerEvent ? event.pointerType === "touch" : pressed;
      const element = isUsed ? null : elementOf(event);
      if (!element) return;
      const cause = event.type === "focusin" ? "focus" : "pointermove";
      setTarget((current) => (current?.element === element ? current : { element, cause }));
      load().then(
        ({ TooltipWindow }) => setDrawn(() => TooltipWindow),
        () => undefined,
      );
    };
    const abort = new AbortController();
    document.addEventListener("pointerdown", press, abort);
    document.addEventListener("keydown", type, abort);
    document.addEventListener("pointerover", enter, abort);
    document.addEventListener("focusin", enter, abort);
    return () => abort.abort();
  }, []);

  // The pointer may have left, or the element may be in use, before the code was loaded.
  useEffect(() => {
    if (Drawn) return;
    const leave = () => setTarget(null);
    const abort = new AbortController();
    document.addEventListener("pointerout", leave, abort);
    document.addEventListener("pointerdown", leave, abort);
    document.addEventListener("focusout", leave, abort);
    return () => abort.abort();
  }, [Drawn]);

  return Drawn && <Drawn target={target} />;
}

function elementOf({ target }: Event): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[data-tooltip]") : null;
}
