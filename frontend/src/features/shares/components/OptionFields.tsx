import { Checkbox } from "@/ui/form/Checkbox";
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
      <Checkbox
        key={name}
        label={label}
        hint={showsHints && hint}
        checked={options[name]}
        onChange={(checked) => onChange(name, checked)}
      />
    );
  });
}
