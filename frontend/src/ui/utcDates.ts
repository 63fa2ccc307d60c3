/** Times of evidence, which are the same for everybody: in UTC. */
const utc = { timeZone: "UTC" } as const;
const dayUtc = new Intl.DateTimeFormat("en", {
  ...utc,
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
});
const clockUtc = new Intl.DateTimeFormat("en", { ...utc, timeStyle: "medium", hourCycle: "h23" });
const dateUtc = new Intl.DateTimeFormat("en", {
  ...utc,
  day: "numeric",
  month: "long",
  year: "numeric",
});

/** Formats a day as "Saturday, November 21, 2026", in UTC. */
export const formatDayUtc = (at: string): string => dayUtc.format(new Date(at));

/** Formats a time of day as "11:04:09 UTC". */
export const formatClockUtc = (at: string): string => `${clockUtc.format(new Date(at))} UTC`;

/** Formats as "November 21, 2026, 11:04:09 UTC". */
export const formatUtc = (at: string): string =>
  `${dateUtc.format(new Date(at))}, ${formatClockUtc(at)}`;
