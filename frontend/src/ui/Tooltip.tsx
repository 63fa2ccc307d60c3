import { Tooltip as Radix } from "radix-ui";
import type { ReactNode } from "react";

/** Delays of spec section 9. Wraps the signed-in screens once; public pages carry no tooltips. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={700} skipDelayDuration={300}>
      {children}
    </Radix.Provider>
  );
}

interface TooltipProps {
  text: string;
  /** One focusable element, which has an accessible name of its own. */
  children: ReactNode;
}

/** Opens on hover or focus; never the only place where something is said. */
export function Tooltip({ text, children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-w-xs rounded-sm bg-primary px-2.5 py-1.5 text-on-primary text-xs shadow-raised"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
