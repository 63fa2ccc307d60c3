import { Monitor, Moon, Sun } from "lucide-react";
import { type Theme, useTheme } from "./theme";

const choices = [
  { theme: "system", label: "System theme", Icon: Monitor },
  { theme: "light", label: "Light theme", Icon: Sun },
  { theme: "dark", label: "Dark theme", Icon: Moon },
] as const satisfies readonly { theme: Theme; label: string; Icon: typeof Sun }[];

/** Three native radios drawn as one segmented control. */
export function ThemeSwitch() {
  const [theme, setTheme] = useTheme();
  return (
    <fieldset className="inline-flex rounded-full border border-line bg-surface p-0.5">
      <legend className="sr-only">Theme</legend>
      {choices.map(({ theme: choice, label, Icon }) => (
        <label
          key={choice}
          title={label}
          className="relative inline-flex size-11 cursor-pointer items-center justify-center rounded-full text-muted transition-colors hover:text-ink has-checked:bg-sunken has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-focus md:size-8"
        >
          <input
            type="radio"
            name="theme"
            value={choice}
            checked={theme === choice}
            onChange={() => setTheme(choice)}
            className="absolute inset-0 cursor-pointer appearance-none rounded-full outline-none"
            aria-label={label}
          />
          <Icon className="pointer-events-none size-4" aria-hidden="true" />
        </label>
      ))}
    </fieldset>
  );
}
