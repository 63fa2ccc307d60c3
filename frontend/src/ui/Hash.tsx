import { CopyIconButton } from "./CopyIconButton";

/** A shortened SHA-256; the tooltip has the whole. */
export function Hash({ value }: { value: string }) {
  return (
    <code
      translate="no"
      title={`SHA-256 ${value}`}
      className="rounded-sm bg-sunken px-1 py-0.5 font-mono text-xs"
    >
      {value.slice(0, 12)}
    </code>
  );
}

interface CopyableHashProps {
  value: string;
  /** Subject of the hash, for screen readers: "revision 3". */
  of: string;
  onFailed: () => void;
}

/** The hash with a button that copies the whole of it. */
export function CopyableHash({ value, of, onFailed }: CopyableHashProps) {
  return (
    <span className="inline-flex items-center">
      <Hash value={value} />
      <CopyIconButton
        text={value}
        label={`Copy SHA-256 of ${of}`}
        className="-my-2"
        onFailed={onFailed}
      />
    </span>
  );
}
