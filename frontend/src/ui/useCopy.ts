import { useEffect, useState } from "react";

/** How long a copy is confirmed, in milliseconds (docs/rules.md#ui-constants). */
const CONFIRMATION_MS = 2000;

/** Copies text and confirms it for a while. `copy` resolves to whether the browser allowed it. */
export function useCopy() {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async (text: string): Promise<boolean> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      return true;
    } catch {
      return false;
    }
  };

  return { copied, copy };
}
