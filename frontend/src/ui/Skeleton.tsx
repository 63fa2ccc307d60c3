import { cx } from "./cx";

/** A grey block with the geometry of what will replace it; hidden from assistive technology. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={cx("animate-pulse rounded-md bg-line", className)} />;
}
