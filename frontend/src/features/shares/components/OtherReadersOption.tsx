interface OtherReadersOptionProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Which link it is, for screen readers, where there are several. */
  description?: string;
}

/** Option: readers of this link, and of the idea's other links with this option, see each other. */
export function OtherReadersOption({ checked, onChange, description }: OtherReadersOptionProps) {
  return (
    <label className="flex cursor-pointer items-start gap-3 text-sm">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-primary"
      />
      <span>
        Readers of all links with this option see each other’s comments
        {description && <span className="sr-only"> ({description})</span>}
      </span>
    </label>
  );
}
