import { useLayoutEffect } from "react";

interface CommandKeys {
  readonly onSave: () => void;
  readonly onPublish: () => void;
}

/** Ctrl/Cmd+S saves from anywhere on the screen; Ctrl/Cmd+Shift+Enter asks to publish. */
export function useCommandKeys({ onSave, onPublish }: CommandKeys): void {
  useLayoutEffect(() => {
    const handle = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.isComposing) return;
      // Shortcuts do not work behind an open dialog.
      if (document.querySelector("[role=dialog], [role=alertdialog]") !== null) return;
      if (event.key.toLowerCase() === "s" && !event.shiftKey) {
        event.preventDefault();
        onSave();
      } else if (event.key === "Enter" && event.shiftKey) {
        event.preventDefault();
        onPublish();
      }
    };
    document.addEventListener("keydown", handle);
    return () => document.removeEventListener("keydown", handle);
  }, [onSave, onPublish]);
}
