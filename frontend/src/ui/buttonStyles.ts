import { cx } from "./cx";

/** `primary` once per view; `danger` only for actions that lose data for good. */
export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger";
export type ButtonSize = "md" | "sm";

const variants: Record<ButtonVariant, string> = {
  primary: "bg-primary text-on-primary hover:bg-primary-hover",
  secondary: "border border-line-strong bg-surface text-ink hover:bg-sunken",
  ghost: "hover:bg-sunken",
  danger: "bg-danger-solid text-on-danger hover:bg-danger-solid-hover",
};

// 44 px on touch screens (WCAG 2.5.8 with room to spare), tighter where a mouse points.
const sizes: Record<ButtonSize, string> = {
  md: "min-h-11 px-5 py-2",
  sm: "min-h-11 px-3 py-1 text-sm md:min-h-9",
};

/** Shared by `Button` and `LinkButton`, so that a link can look like a button and stay a link. */
export function buttonStyles(variant: ButtonVariant, size: ButtonSize, className?: string): string {
  return cx(
    "inline-flex items-center justify-center gap-2 rounded-md text-center font-semibold transition-colors",
    "disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-progress",
    // Forced colours leave nothing of a fill.
    "forced-colors:border",
    variants[variant],
    sizes[size],
    className,
  );
}
