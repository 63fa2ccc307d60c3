import { messages } from "../messages";

/** Says how many ideas cannot be read, and whom to ask. */
export function DamageNotice({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <p
      role="status"
      className="mt-6 rounded-md border border-danger bg-danger-soft px-4 py-3 text-danger text-sm"
    >
      {messages.damaged(count)}
    </p>
  );
}
