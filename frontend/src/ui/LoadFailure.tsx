import { Button } from "./Button";

interface LoadFailureProps {
  text: string;
  busy: boolean;
  onRetry: () => void;
}

/**
 * Message for a list that could not be loaded, with a retry; nothing retries by itself. Rows of an
 * earlier load may follow, which it must not touch.
 */
export function LoadFailure({ text, busy, onRetry }: LoadFailureProps) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center justify-between gap-3 rounded-lg border border-danger bg-danger-soft px-4 py-3 not-last:mb-4"
    >
      <p className="text-danger text-sm">{navigator.onLine ? text : "You are offline."}</p>
      <Button variant="secondary" size="sm" busy={busy} onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
