const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago a comment was written (spec section 9): 'just now', then minutes, hours, days. */
export function commentAge(createdAt: string, now: number): string {
  const age = now - Date.parse(createdAt);
  // A computer whose clock is slow sees comments from the future.
  if (age < MINUTE) return "just now";
  if (age < HOUR) return ago(age / MINUTE, "minute");
  if (age < DAY) return ago(age / HOUR, "hour");
  return ago(age / DAY, "day");
}

function ago(amount: number, unit: string): string {
  const whole = Math.floor(amount);
  return `${whole} ${unit}${whole === 1 ? "" : "s"} ago`;
}
