import { useEffect, useState } from "react";
import type { TooltipTarget } from "./TooltipWindow";
import { useIdleLoad } from "./useIdleLoad";

const load = () => import("./TooltipWindow");
type Window = Awaited<ReturnType<typeof load>>["TooltipWindow"];

/**
 * Shows a tooltip for every focusable element that has a `data-tooltip`, on hover and on focus by
 * keyboard. It is never the only place where something is said: each such element has an accessible
 * name, and a page whose tooltips could not be fetched merely lacks them. Stands once among the
 * signed-in screens; the code that draws it comes while the page is idle, or with the first hover.
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
      // What a press has focused or a finger touches is being used already.
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

  // Whoever has left before there was anything to draw with wants no tooltip any more.
  useEffect(() => {
    if (Drawn) return;
    const leave = () => setTarget(null);
    const abort = new AbortController();
    document.addEventListener("pointerout", leave, abort);
    document.addEventListener("focusout", leave, abort);
    return () => abort.abort();
  }, [Drawn]);

  return Drawn && <Drawn target={target} />;
}

function elementOf({ target }: Event): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[data-tooltip]") : null;
}
