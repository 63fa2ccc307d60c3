import { DropdownMenu } from "radix-ui";
import { type FocusEvent, type ReactNode, useRef, useState } from "react";
import { closeOnEscape } from "./closeOnEscape";

interface MenuItem {
  label: string;
  icon?: ReactNode;
  onSelect: () => void;
}

export interface MenuProps {
  /** The accessible name of the button that opens the menu. */
  label: string;
  /** Content of that button. */
  children: ReactNode;
  className?: string;
  items: readonly MenuItem[];
}

/**
 * The Radix part of `Menu`, initially open. Not modal: Radix's modal menu hides the page from
 * assistive technology while focus can still reach it.
 */
export function MenuWindow({
  label,
  children,
  className,
  items,
  entersFirstItem,
}: MenuProps & { entersFirstItem: boolean }) {
  const [isOpen, setIsOpen] = useState(true);
  // Radix focuses the first item by itself only if it handled the key that opened the menu.
  const enters = useRef(entersFirstItem);
  const enter = ({ target, currentTarget }: FocusEvent) => {
    if (!enters.current || target !== currentTarget) return;
    enters.current = false;
    currentTarget.querySelector<HTMLElement>("[role=menuitem]")?.focus();
  };
  return (
    <DropdownMenu.Root modal={false} open={isOpen} onOpenChange={setIsOpen}>
      <DropdownMenu.Trigger aria-label={label} className={className}>
        {children}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={8}
          collisionPadding={8}
          onFocus={enter}
          onKeyDown={closeOnEscape(() => setIsOpen(false))}
          className="z-30 min-w-52 rounded-md border border-line bg-surface p-1.5 shadow-raised"
        >
          {items.map((item) => (
            <DropdownMenu.Item
              key={item.label}
              onSelect={item.onSelect}
              className="flex min-h-11 cursor-pointer items-center gap-3 rounded-sm px-3 text-sm outline-none data-highlighted:bg-sunken md:min-h-10"
            >
              {item.icon && <span className="text-muted">{item.icon}</span>}
              {item.label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
