import { Tooltip } from "radix-ui";
import { type Ref, useEffect, useImperativeHandle } from "react";

/** Element that needs a tooltip, and the event that triggered it. */
export interface TooltipTarget {
  readonly element: HTMLElement;
  readonly cause: "focus" | "pointermove";
}

/** The Radix part of `Tooltips`; delays as in docs/rules.md#ui-constants. */
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
        <TriggerProxy element={element} cause={cause} />
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

interface TriggerProxyProps extends TooltipTarget {
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
 * Renders nothing and passes the props of Radix's trigger to an element that is on the page
 * already: re-rendering it would lose its focus.
 */
function TriggerProxy({
  element,
  cause,
  ref,
  "aria-describedby": description,
  ...on
}: TriggerProxyProps) {
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

  // The event that opened the tooltip was fired before the listeners existed.
  useEffect(() => {
    element.dispatchEvent(new Event(cause));
  }, [element, cause]);

  return null;
}

const keys = new WeakMap<HTMLElement, number>();
let lastKey = 0;

// Counted: without https, browsers offer no crypto.randomUUID.
function keyOf(element: HTMLElement): number {
  const known = keys.get(element);
  if (known !== undefined) return known;
  lastKey += 1;
  keys.set(element, lastKey);
  return lastKey;
}
