import { Popover } from "radix-ui";
import { type ReactNode, useId, useState } from "react";
import { closeOnEscape } from "@/ui/closeOnEscape";
import { NoticeList } from "./NoticeList";

interface NoticeWindowProps {
  /** The accessible name of the button. */
  label: string;
  className: string;
  children: ReactNode;
  /** Called when notices were read. */
  onRead: () => void;
}

/** The bell's button with its window, initially open. */
export function NoticeWindow({ label, className, children, onRead }: NoticeWindowProps) {
  const [isOpen, setIsOpen] = useState(true);
  const heading = useId();
  const close = () => setIsOpen(false);
  return (
    <Popover.Root open={isOpen} onOpenChange={setIsOpen}>
      <Popover.Trigger aria-label={label} className={className}>
        {children}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={8}
          collisionPadding={8}
          aria-labelledby={heading}
          onKeyDown={closeOnEscape(close)}
          className="z-30 flex max-h-[min(34rem,80dvh)] w-[min(24rem,calc(100vw-1rem))] flex-col rounded-lg border border-line bg-surface shadow-raised"
        >
          <h2 id={heading} className="px-4 pt-4 pb-2 font-semibold font-serif text-lg">
            What’s new
          </h2>
          <NoticeList onLeave={close} onRead={onRead} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
