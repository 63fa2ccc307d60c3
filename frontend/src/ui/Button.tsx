import type { ComponentProps, MouseEvent } from "react";
import { type ButtonSize, type ButtonVariant, buttonStyles } from "./buttonStyles";
import { Spinner } from "./Spinner";

interface ButtonProps extends ComponentProps<"button"> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Shows a spinner and ignores clicks, but keeps focus, unlike `disabled`. */
  busy?: boolean;
  /** Whether it shows the spinner, which makes it wider; not beside a status that says the same. */
  hasSpinner?: boolean;
}

export function Button({
  variant = "primary",
  size = "md",
  busy = false,
  hasSpinner = true,
  type = "button",
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      {...rest}
      type={type}
      className={buttonStyles(variant, size, className)}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={handleClick}
    >
      {busy && hasSpinner && <Spinner />}
      {children}
    </button>
  );
}
