import { Link, type LinkProps } from "react-router";
import { type ButtonSize, type ButtonVariant, buttonStyles } from "./buttonStyles";

interface LinkButtonProps extends LinkProps {
  variant?: ButtonVariant;
  size?: ButtonSize;
  className?: string;
}

/** Navigation that looks like a button. */
export function LinkButton({
  variant = "primary",
  size = "md",
  className,
  ...rest
}: LinkButtonProps) {
  return <Link {...rest} className={buttonStyles(variant, size, className)} />;
}
