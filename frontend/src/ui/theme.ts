import { useSyncExternalStore } from "react";
import { removeStored, store } from "@/browser/storage";

/** `system` follows the operating system; the others override it on this browser. */
export type Theme = "system" | "light" | "dark";

/** Local storage key. Also read by public/theme.js before first paint. */
const STORAGE_KEY = "theme";
const listeners = new Set<() => void>();

function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
}

function setTheme(theme: Theme): void {
  if (theme === "system") {
    delete document.documentElement.dataset.theme;
    removeStored("localStorage", STORAGE_KEY);
  } else {
    document.documentElement.dataset.theme = theme;
    store("localStorage", STORAGE_KEY, theme);
  }
  for (const notify of listeners) notify();
}

function listen(notify: () => void) {
  listeners.add(notify);
  return () => listeners.delete(notify);
}

/** Returns the current theme and its setter. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(listen, currentTheme, () => "system" as const);
  return [theme, setTheme];
}
