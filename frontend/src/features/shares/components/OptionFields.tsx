import { optionNames, optionTexts, type ShareOptions } from "../shareOptions";

interface OptionFieldsProps {
  options: ShareOptions;
  onChange: (option: keyof ShareOptions, checked: boolean) => void;
  showsHints?: boolean;
}

/** A checkbox for each option of a link. */
export function OptionFields({ options, onChange, showsHints }: OptionFieldsProps) {
  return optionNames.map((name) => {
    const { label, hint } = optionTexts[name];
    return (
      <label key={name} className="flex cursor-pointer items-start gap-3 text-sm">
        <input
          type="checkbox"
          checked={options[name]}
          onChange={(event) => onChange(name, event.target.checked)}
          className="mt-0.5 size-4 shrink-0 accent-primary"
        />
        <span>
          {label}
          {showsHints && hint && <span className="block text-muted">{hint}</span>}
        </span>
      </label>
    );
  });
}
