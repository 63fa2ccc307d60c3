const dateTime = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
const dateTimeSeconds = new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "medium" });

/** Formats as "Nov 21, 2026, 11:04 AM" in the reader's time zone. */
export const formatDateTime = (at: string | Date): string => dateTime.format(new Date(at));

/** Formats as above, with seconds. */
export const formatDateTimeSeconds = (at: string | Date): string =>
  dateTimeSeconds.format(new Date(at));
