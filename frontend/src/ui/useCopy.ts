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
    const isCopied = (await writeToClipboard(text)) || copySelection(text);
    if (isCopied) setCopied(true);
    return isCopied;
  };

  return { copied, copy };
}

/** Browsers offer the clipboard to pages by https only, and may refuse it there. */
async function writeToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Copies the older way: selects the text and runs the copy command. */
function copySelection(text: string): boolean {
  const selection = document.getSelection();
  if (!selection) return false;
  const before = Array.from({ length: selection.rangeCount }, (_, at) => selection.getRangeAt(at));
  // Not a field, which would need the focus: dialogs keep that.
  const place = document.createElement("span");
  place.textContent = text;
  place.style.cssText = "position:fixed;white-space:pre;opacity:0;user-select:text";
  const write = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.body.append(place);
  window.addEventListener("copy", write, { capture: true });
  try {
    selection.selectAllChildren(place);
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    window.removeEventListener("copy", write, { capture: true });
    place.remove();
    selection.removeAllRanges();
    for (const range of before) selection.addRange(range);
  }
}
