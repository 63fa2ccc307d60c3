import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";

interface MenuItem {
  label: string;
  icon?: ReactNode;
  onSelect: () => void;
}

interface MenuProps {
  /** One focusable element that opens the menu. */
  trigger: ReactNode;
  items: readonly MenuItem[];
}

/** Not modal: Radix's modal menu hides the page from assistive technology while focus can reach it. */
export function Menu({ trigger, items }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={8}
          collisionPadding={8}
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
