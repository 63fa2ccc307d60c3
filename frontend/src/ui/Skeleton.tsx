import { cx } from "./cx";

/**
 * A grey block of the same size as the content that replaces it; hidden from assistive technology.
 */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={cx("animate-pulse rounded-md bg-line", className)} />;
}
