import { Check, Copy } from "lucide-react";
import { IconButton } from "./IconButton";
import { useCopy } from "./useCopy";

interface CopyIconButtonProps {
  text: string;
  /** Says what is copied, for screen readers. */
  label: string;
  className?: string;
  /** Called when the browser does not allow it. */
  onFailed: () => void;
}

/** Icon button that copies a text, and says for a while that it did. */
export function CopyIconButton({ text, label, className, onFailed }: CopyIconButtonProps) {
  const { copied, copy } = useCopy();
  const Icon = copied ? Check : Copy;
  return (
    <IconButton
      label={copied ? "Copied" : label}
      className={className}
      onClick={async () => {
        if (!(await copy(text))) onFailed();
      }}
    >
      <Icon className="size-4" aria-hidden="true" />
    </IconButton>
  );
}
