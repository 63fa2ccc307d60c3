import type { ComponentProps } from "react";
import { cx } from "./cx";

interface IconButtonProps extends Omit<ComponentProps<"button">, "aria-label"> {
  /** The accessible name; the icon itself is decoration. */
  label: string;
}

/** 44 px on touch screens, 36 px beside a mouse. */
export function IconButton({
  label,
  className,
  type = "button",
  children,
  ...rest
}: IconButtonProps) {
  return (
    <button {...rest} type={type} aria-label={label} className={cx(iconButtonStyles, className)}>
      {children}
    </button>
  );
}

/** For links beside icon buttons. */
export const iconButtonStyles =
  "inline-flex size-11 shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-sunken hover:text-ink md:size-9";
