import { useId } from "react";
import { messages } from "../messages";
import type { TitleState } from "./EditorScreen";

interface TitleFieldProps extends TitleState {
  /** Called on Enter, and on arrow down at the end: moves to the text. */
  readonly onLeave: () => void;
}

/** The idea's title above the text: one line of text, wrapped as needed. */
export function TitleField({
  ref,
  value,
  error,
  errorKey,
  isReadOnly,
  onChange,
  onLeave,
}: TitleFieldProps) {
  const errorId = useId();

  return (
    <div className="mx-auto mb-8 max-w-[42rem] border-page-line border-b pb-4">
      <div
        data-text={value || messages.titlePlaceholder}
        className="title-field -mx-2 grid font-semibold font-serif text-2xl text-page-ink sm:text-3xl"
      >
        <textarea
          ref={ref}
          rows={1}
          dir="auto"
          aria-label="Title"
          aria-invalid={error !== null || undefined}
          aria-describedby={error === null ? undefined : errorId}
          placeholder={messages.titlePlaceholder}
          value={value}
          readOnly={isReadOnly}
          maxLength={MAX_TITLE}
          autoComplete="off"
          className="resize-none overflow-hidden rounded-sm bg-transparent placeholder:text-page-muted"
          onChange={(event) => onChange(event.target.value.replaceAll(/\s*\n\s*/g, " "))}
          onKeyDown={(event) => {
            const { selectionStart, value: text } = event.currentTarget;
            const isBelow = event.key === "ArrowDown" && selectionStart === text.length;
            if (event.key !== "Enter" && !isBelow) return;
            if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            if (!isReadOnly) onLeave();
          }}
        />
      </div>
      {error !== null && (
        <p key={errorKey} id={errorId} role="alert" className="mt-1 text-page-danger text-sm">
          {error}
        </p>
      )}
    </div>
  );
}

/** Longest title in the field; the server enforces its own limit. */
export const MAX_TITLE = 200;
