import { ChevronDown } from "lucide-react";
import { type ReactNode, useId } from "react";
import { cx } from "@/ui/cx";
import { messages } from "../messages";

interface MoreSettingsProps {
  isOpen: boolean;
  onToggle: () => void;
  /** Which of them are set. */
  line: string;
  children: ReactNode;
}

/** The settings of a link that most links leave as they are. */
export function MoreSettings({ isOpen, onToggle, line, children }: MoreSettingsProps) {
  const id = useId();
  return (
    <div className="rounded-md border border-line">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-describedby={`${id}-line`}
        onClick={onToggle}
        className="flex min-h-11 w-full items-center justify-between gap-3 rounded-md px-3 text-left font-semibold text-sm hover:bg-sunken"
      >
        {messages.moreSettings}
        <ChevronDown
          className={cx("size-5 shrink-0 text-muted transition-transform", isOpen && "rotate-180")}
          aria-hidden="true"
        />
      </button>
      <p id={`${id}-line`} className="wrap-anywhere px-3 pt-1.5 pb-3 text-muted text-sm">
        {line}
      </p>
      {isOpen && (
        <div id={id} className="flex flex-col gap-6 border-line border-t px-3 py-4">
          {children}
        </div>
      )}
    </div>
  );
}

/** Settings of one kind. */
export function SettingsGroup({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="mb-3 font-semibold text-sm">{legend}</legend>
      {children}
    </fieldset>
  );
}
