const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Formats the age of a comment: 'just now', then minutes, hours, days (docs/rules.md#ui-constants).
 */
export function commentAge(createdAt: string, now: number): string {
  const age = now - Date.parse(createdAt);
  // With a slow local clock, comments are from the future.
  if (age < MINUTE) return "just now";
  if (age < HOUR) return ago(age / MINUTE, "minute");
  if (age < DAY) return ago(age / HOUR, "hour");
  return ago(age / DAY, "day");
}

function ago(amount: number, unit: string): string {
  const whole = Math.floor(amount);
  return `${whole} ${unit}${whole === 1 ? "" : "s"} ago`;
}
