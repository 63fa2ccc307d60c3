import { useId } from "react";

interface RadioCard<Value extends string> {
  value: Value;
  label: string;
  hint?: string;
}

interface RadioCardsProps<Value extends string> {
  legend: string;
  name: string;
  value: Value;
  options: readonly RadioCard<Value>[];
  onChange: (value: Value) => void;
}

/** A single choice as cards: native radios, so arrow keys and screen readers work unaided. */
export function RadioCards<Value extends string>({
  legend,
  name,
  value,
  options,
  onChange,
}: RadioCardsProps<Value>) {
  const id = useId();
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-semibold text-sm">{legend}</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {options.map((option) => (
          <label
            key={option.value}
            className="flex cursor-pointer items-start gap-3 rounded-md border border-line-strong bg-surface p-3 transition-colors hover:bg-sunken has-checked:border-primary has-checked:bg-sunken has-checked:ring-1 has-checked:ring-primary has-focus-visible:outline-2 has-focus-visible:outline-focus has-focus-visible:outline-offset-2"
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              aria-describedby={option.hint ? `${id}-${option.value}` : undefined}
              aria-label={option.label}
              className="mt-1 size-4 shrink-0 accent-primary outline-none"
            />
            <span className="min-w-0">
              <span className="block font-semibold text-sm">{option.label}</span>
              {option.hint && (
                <span id={`${id}-${option.value}`} className="block text-muted text-sm">
                  {option.hint}
                </span>
              )}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
