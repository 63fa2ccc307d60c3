import { Check, Copy } from "lucide-react";
import { IconButton } from "./IconButton";
import { useCopy } from "./useCopy";

/** Enough of a SHA-256 to recognise it; the whole of it on hover. */
export function Hash({ value }: { value: string }) {
  return (
    <code title={`SHA-256 ${value}`} className="rounded-sm bg-sunken px-1 py-0.5 font-mono text-xs">
      {value.slice(0, 12)}
    </code>
  );
}

interface CopyableHashProps {
  value: string;
  /** What it is the hash of, for those who cannot see the row: "revision 3". */
  of: string;
  onFailed: () => void;
}

/** The same with a button that copies the whole of it. */
export function CopyableHash({ value, of, onFailed }: CopyableHashProps) {
  const { copied, copy } = useCopy();
  const Icon = copied ? Check : Copy;
  return (
    <span className="inline-flex items-center">
      <Hash value={value} />
      <IconButton
        label={copied ? "Copied" : `Copy SHA-256 of ${of}`}
        className="-my-2"
        onClick={async () => {
          if (!(await copy(value))) onFailed();
        }}
      >
        <Icon className="size-4" aria-hidden="true" />
      </IconButton>
    </span>
  );
}
