import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "./Button";
import type { ButtonSize } from "./buttonStyles";

/** How long a copy is confirmed (spec section 9). */
const CONFIRMATION_MS = 2000;

interface CopyButtonProps {
  text: string;
  label: string;
  /** What is copied, for readers who cannot see the row: "Copy Link, One-time view". */
  description?: string;
  size?: ButtonSize;
  onCopied?: () => void;
  onFailed?: () => void;
}

export function CopyButton({
  text,
  label,
  description,
  size = "sm",
  onCopied,
  onFailed,
}: CopyButtonProps) {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      onCopied?.();
    } catch {
      onFailed?.();
    }
  };

  const Icon = copied ? Check : Copy;
  return (
    <Button variant="secondary" size={size} onClick={copy}>
      <Icon className="size-4" aria-hidden="true" />
      {label}
      {description && <span className="sr-only">, {description}</span>}
    </Button>
  );
}
