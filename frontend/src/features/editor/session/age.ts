const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const STEPS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** Formats an age: "5 minutes ago", or "just now" within the first minute. */
export function formatAge(since: number, now: number): string {
  const age = Math.max(0, now - since);
  for (const [unit, length] of STEPS) {
    if (age >= length) return relative.format(-Math.floor(age / length), unit);
  }
  return "just now";
}
