import { SentText } from "./SentText";

interface IncludeIdeaProps {
  readonly text: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** Checkbox to send the idea's text with the next message, with a preview of that text. */
export function IncludeIdea({ text, checked, onChange }: IncludeIdeaProps) {
  if (text === "") return null;
  return (
    <div className="flex flex-wrap items-start gap-x-4">
      <label className="flex min-h-9 items-center gap-2 text-sm pointer-coarse:min-h-11">
        <input
          type="checkbox"
          className="size-4 accent-primary"
          checked={checked}
          onChange={({ target }) => onChange(target.checked)}
        />
        Send my idea’s text with this message
      </label>
      <SentText text={text} />
    </div>
  );
}
