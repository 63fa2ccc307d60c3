import { Check, Copy } from "lucide-react";
import { Button } from "./Button";
import type { ButtonSize } from "./buttonStyles";
import { useCopy } from "./useCopy";

interface CopyButtonProps {
  text: string;
  label: string;
  /** Accessible context, for example "Copy Link, One-time view". */
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
  const { copied, copy } = useCopy();

  const Icon = copied ? Check : Copy;
  return (
    <Button
      variant="secondary"
      size={size}
      onClick={async () => {
        if (await copy(text)) onCopied?.();
        else onFailed?.();
      }}
    >
      <Icon className="size-4" aria-hidden="true" />
      {label}
      {description && <span className="sr-only">, {description}</span>}
    </Button>
  );
}
