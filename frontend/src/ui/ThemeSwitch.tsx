import { type Theme, useTheme } from "./theme";

const choices: { theme: Theme; label: string }[] = [
  { theme: "system", label: "System" },
  { theme: "light", label: "Light" },
  { theme: "dark", label: "Dark" },
];

/**
 * Three native radios styled as one segmented control. Texts, since icons would cost every page 2
 * KB.
 */
export function ThemeSwitch() {
  const [theme, setTheme] = useTheme();
  return (
    <fieldset className="inline-flex rounded-full border border-line bg-surface p-0.5">
      <legend className="sr-only">Theme</legend>
      {choices.map(({ theme: choice, label }) => (
        <label
          key={choice}
          className="relative inline-flex min-h-11 cursor-pointer items-center rounded-full px-3.5 text-muted text-xs transition-colors hover:text-ink has-checked:bg-sunken has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-focus md:min-h-8"
        >
          <input
            type="radio"
            name="theme"
            value={choice}
            checked={theme === choice}
            onChange={() => setTheme(choice)}
            className="absolute inset-0 cursor-pointer appearance-none rounded-full outline-none"
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
