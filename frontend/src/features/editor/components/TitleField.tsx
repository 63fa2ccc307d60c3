import { useId } from "react";
import { messages } from "../messages";
import type { TitleState } from "./EditorScreen";

interface TitleFieldProps extends TitleState {
  /** Enter or arrow down goes on to the text. */
  readonly onLeave: () => void;
}

/** The idea's title, at the head of its page. */
export function TitleField({ ref, value, error, isReadOnly, onChange, onLeave }: TitleFieldProps) {
  const errorId = useId();
  return (
    <div className="mx-auto mb-8 max-w-[42rem] border-[#d8d2c4] border-b pb-4">
      <input
        ref={ref}
        type="text"
        aria-label="Title"
        aria-invalid={error !== null || undefined}
        aria-describedby={error === null ? undefined : errorId}
        placeholder={messages.titlePlaceholder}
        value={value}
        readOnly={isReadOnly}
        maxLength={MAX_TITLE}
        autoComplete="off"
        className="-mx-2 w-[calc(100%+1rem)] rounded-sm bg-transparent px-2 py-1 font-semibold font-serif text-2xl text-page-ink placeholder:text-[#6b7489] sm:text-3xl"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          const goesOn = event.key === "Enter" || event.key === "ArrowDown";
          if (!goesOn || isReadOnly || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          onLeave();
        }}
      />
      {error !== null && (
        <p id={errorId} role="alert" className="mt-1 text-[#a8231c] text-sm">
          {error}
        </p>
      )}
    </div>
  );
}

/** Longer than any title worth reading; the server has the last word. */
export const MAX_TITLE = 200;
