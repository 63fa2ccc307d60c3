import { Tooltip } from "radix-ui";
import { type Ref, useEffect, useImperativeHandle } from "react";

/** What a tooltip is wanted for, and the event that said so. */
export interface TooltipTarget {
  readonly element: HTMLElement;
  readonly cause: "focus" | "pointermove";
}

/** The Radix half of `Tooltips`, with the delays of spec section 9. */
export function TooltipWindow({ target }: { target: TooltipTarget | null }) {
  return (
    <Tooltip.Provider delayDuration={700} skipDelayDuration={300}>
      {target && <OneTooltip key={keyOf(target.element)} {...target} />}
    </Tooltip.Provider>
  );
}

function OneTooltip({ element, cause }: TooltipTarget) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>
        <Stand element={element} cause={cause} />
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-w-xs rounded-sm bg-primary px-2.5 py-1.5 text-on-primary text-xs shadow-raised"
        >
          {element.dataset.tooltip}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

interface StandProps extends TooltipTarget {
  ref?: Ref<HTMLElement>;
  "aria-describedby"?: string;
  onPointerMove?: (event: Event) => void;
  onPointerLeave?: (event: Event) => void;
  onPointerDown?: (event: Event) => void;
  onFocus?: (event: Event) => void;
  onBlur?: (event: Event) => void;
  onClick?: (event: Event) => void;
}

/**
 * Draws nothing, and hands what Radix gives its trigger to an element that is on the page already:
 * one that was drawn anew would lose its focus.
 */
function Stand({ element, cause, ref, "aria-describedby": description, ...on }: StandProps) {
  useImperativeHandle(ref, () => element, [element]);

  useEffect(() => {
    if (description === undefined) return;
    element.setAttribute("aria-describedby", description);
    return () => element.removeAttribute("aria-describedby");
  }, [element, description]);

  useEffect(() => {
    const abort = new AbortController();
    const listeners = {
      pointermove: on.onPointerMove,
      pointerleave: on.onPointerLeave,
      pointerdown: on.onPointerDown,
      focus: on.onFocus,
      blur: on.onBlur,
      click: on.onClick,
    };
    for (const [type, listener] of Object.entries(listeners)) {
      if (listener) element.addEventListener(type, listener, { signal: abort.signal });
    }
    return () => abort.abort();
  });

  // The event that led here came before anybody listened.
  useEffect(() => {
    element.dispatchEvent(new Event(cause));
  }, [element, cause]);

  return null;
}

const keys = new WeakMap<HTMLElement, string>();

function keyOf(element: HTMLElement): string {
  const known = keys.get(element) ?? crypto.randomUUID();
  keys.set(element, known);
  return known;
}
