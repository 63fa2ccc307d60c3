import { IS_APPLE } from "lexical";

/** Formats a shortcut for the user's keyboard: "Mod+Shift+X" becomes "⌘⇧X" or "Ctrl+Shift+X". */
export function shortcutLabel(shortcut: string): string {
  if (!IS_APPLE) return shortcut.replace("Mod", "Ctrl");
  return shortcut.replace("Mod+", "⌘").replace("Alt+", "⌥").replace("Shift+", "⇧");
}
