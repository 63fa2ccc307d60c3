import { cx } from "./cx";
import { VaultLogo, vaultName } from "./vault";

/** Outline of the wax seal, in a square of 32 by 32. */
export const SEAL =
  "M29.60 16.00Q31.50 19.54 28.25 21.90Q28.43 25.91 24.48 26.63Q22.90 30.33 19.03 29.26Q16.00 31.90 12.97 29.26Q9.10 30.33 7.52 26.63Q3.57 25.91 3.75 21.90Q0.50 19.54 2.40 16.00Q0.50 12.46 3.75 10.10Q3.57 6.09 7.52 5.37Q9.10 1.67 12.97 2.74Q16.00 0.10 19.03 2.74Q22.90 1.67 24.48 5.37Q28.43 6.09 28.25 10.10Q31.50 12.46 29.60 16.00Z";
/** The keyhole in it. */
export const KEYHOLE =
  "M16 9.6a3.5 3.5 0 0 1 1.75 6.53l1.2 5.37a.8.8 0 0 1-.78.98h-4.34a.8.8 0 0 1-.78-.98l1.2-5.37A3.5 3.5 0 0 1 16 9.6Z";

/** A wax seal with a keyhole. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={cx("size-9 shrink-0", className)} aria-hidden="true">
      <path className="fill-seal-mark" d={SEAL} />
      <circle cx="16" cy="16" r="10.2" fill="none" className="stroke-white" strokeOpacity="0.55" />
      <path className="fill-white" d={KEYHOLE} />
    </svg>
  );
}

/** The operator's logo, or ours. */
export function VaultMark({ className }: { className?: string }) {
  return (
    <VaultLogo className={cx("size-9 shrink-0 object-contain", className)}>
      <LogoMark className={className} />
    </VaultLogo>
  );
}

/** Logo and name; wrap it in a link where needed. */
export function Logo({ className, nameClassName }: { className?: string; nameClassName?: string }) {
  return (
    <span className={cx("inline-flex items-center gap-2.5", className)}>
      <VaultMark />
      <span
        dir="auto"
        className={cx(
          "max-w-[45vw] truncate font-semibold font-serif text-xl tracking-tight sm:max-w-80",
          nameClassName,
        )}
      >
        {vaultName()}
      </span>
    </span>
  );
}
